import { type AuthProblem, AuthServerError, signInCommand, UpstreamAuthError } from './errors.ts';
import { type Grant, GrantStore, isStale, isUsable, secretsOfGrant } from './grant.ts';
import type { AuthState, Challenge, ServerAuthOptions } from './options.ts';
import type { Renewal } from './renewal.ts';
import type { SignInOptions } from './sign-in.ts';

/** The authorisation of one MCP server. Everything that only OAuth needs is loaded when the server asks for it. */
export class ServerAuth {
  readonly #options: ServerAuthOptions;
  readonly #grants: GrantStore;
  readonly #closed = new AbortController();
  #challenge: Challenge = {};
  #state: AuthState | undefined;
  #problem: UpstreamAuthError | undefined;
  #grant: Grant | undefined;
  #renewal: Promise<Renewal> | undefined;
  /** Shared by all requests that need another token: a second refresh would invalidate the first. */
  #renewing: Promise<string> | undefined;
  #signingIn: AbortController | undefined;
  #question: AbortController | undefined;
  /** A person wants no question at present. */
  #isQuiet = false;

  constructor(options: ServerAuthOptions) {
    this.#options = options;
    this.#grants = new GrantStore(options);
  }

  /** Why requests are refused at present. */
  get problem(): UpstreamAuthError | undefined {
    return this.#state === 'sign-in-needed' || this.#state === 'refused' ? this.#problem : undefined;
  }

  /** Undefined as long as the server does not ask for OAuth. */
  get state(): AuthState | undefined {
    return this.#state;
  }

  /** The access token for the next request. Throws at once if a person has to act first. */
  async token(): Promise<string | undefined> {
    const grant = await this.#current();
    if (!isUsable(grant)) {
      if (this.#isUnattended) return this.#renew(undefined);
      if (grant) throw this.#need('expired');
      if (this.#state === 'sign-in-needed' && this.#problem) throw this.#problem;
      return undefined;
    }
    const { access_token: token, refresh_token, expires_at = Infinity } = grant.tokens;
    if (!isStale(grant) || (refresh_token === undefined && !this.#isUnattended)) return token;
    try {
      return await this.#renew(token);
    } catch (error) {
      // The last seconds of a token can outlast an outage.
      if (error instanceof UpstreamAuthError || Date.now() > expires_at) throw error;
      return token;
    }
  }

  /** The token to repeat a request with that was answered with HTTP 401. Throws if there is none. */
  async renewed(response: Response, failed: string | undefined): Promise<string> {
    const { readChallenge } = await import('./renewal.ts');
    const { resourceMetadataUrl, scope } = readChallenge(response);
    this.#challenge = { resourceMetadataUrl, scope: scope ?? this.#challenge.scope };
    const renewal = await this.#renewals();
    // It may have moved to another authorization server.
    renewal.forget();
    return this.#renew(failed);
  }

  /** The token to repeat a request with that was answered with HTTP 403. Throws if there is none. */
  async widened(response: Response): Promise<string> {
    const { readChallenge, unionOf } = await import('./renewal.ts');
    const { resourceMetadataUrl, scope, error } = readChallenge(response);
    if (error !== 'insufficient_scope') throw this.refuse(response.status);
    const wanted = unionOf(this.#challenge.scope, this.#grant?.scope, scope);
    this.#challenge = {
      resourceMetadataUrl: resourceMetadataUrl ?? this.#challenge.resourceMetadataUrl,
      scope: wanted,
    };
    if (!this.#isUnattended) throw this.#need('scope');
    return this.#renew(this.#grant?.tokens?.access_token);
  }

  /** The error for a server that refuses what was granted. */
  refuse(status: number): UpstreamAuthError {
    return this.#refused(`The MCP server refused access (HTTP ${status})`);
  }

  /** A request has passed. */
  accept(): void {
    if (this.#state === 'refused' && this.#grant?.tokens) this.#become('signed-in');
  }

  /** Has a person sign in, in the place of a pending sign-in. */
  async signIn(options: SignInOptions): Promise<void> {
    this.#signingIn?.abort(new Error('Another sign-in to this MCP server has begun'));
    const flow = new AbortController();
    this.#signingIn = flow;
    const { signal: cancelled } = options;
    const signal = AbortSignal.any([flow.signal, this.#closed.signal, ...(cancelled ? [cancelled] : [])]);
    const before = this.#state;
    this.#become('signing-in');
    try {
      const renewal = await this.#renewals();
      renewal.forget();
      this.#keep(await renewal.signIn(this.#challenge, options, signal));
      this.#isQuiet = false;
      this.#become('signed-in');
    } catch (error) {
      // Neither a former grant nor the wish for one is lost.
      if (this.#signingIn === flow) this.#become(before === 'signing-in' ? 'sign-in-needed' : before);
      signal.throwIfAborted();
      throw error;
    } finally {
      if (this.#signingIn === flow) this.#signingIn = undefined;
    }
  }

  /** Gives the tokens back, as far as the authorization server takes them, and forgets them. */
  async signOut(): Promise<void> {
    this.#signingIn?.abort(new Error('Signed out'));
    this.#isQuiet = true;
    const renewal = await this.#renewals();
    await renewal.signOut(this.#challenge);
    this.#grant = undefined;
    this.#challenge = {};
    this.#become(undefined);
  }

  /** Ends a pending sign-in and withdraws its question. */
  close(): void {
    this.#closed.abort(new Error('The MCP server was stopped'));
    this.#question?.abort();
  }

  get #isUnattended(): boolean {
    return this.#options.settings.grant === 'client_credentials';
  }

  /** The grant; from the store if there is none yet, because another process may have signed in. */
  async #current(): Promise<Grant | undefined> {
    if (this.#grant?.tokens) return this.#grant;
    const { server } = this.#options;
    const grant = await this.#grants.read().catch(error => {
      this.#options.logger.warn('A stored sign-in cannot be read', { mcp_server: server, error });
      return undefined;
    });
    if (!grant) return undefined;
    this.#keep(grant);
    if (grant.tokens && this.#state !== 'signing-in') this.#become('signed-in');
    return grant;
  }

  #keep(grant: Grant): void {
    const { secrets, server, url } = this.#options;
    secrets.renew(`oauth:${server}:${url}`, secretsOfGrant(grant));
    this.#grant = grant;
  }

  #renew(failed: string | undefined): Promise<string> {
    this.#renewing ??= this.#renewOnce(failed).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewOnce(failed: string | undefined): Promise<string> {
    const renewal = await this.#renewals();
    const outcome = await renewal.renew(this.#challenge, failed).catch(error => {
      if (!(error instanceof AuthServerError) || error.isOutage) throw error;
      throw this.#refused(error.message);
    });
    if (typeof outcome === 'object') {
      this.#keep(outcome);
      if (this.#state !== 'signing-in') this.#become('signed-in');
      return outcome.tokens.access_token;
    }
    if (outcome === 'refused') throw this.#refused("Its authorization server refuses the client of 'oauth'");
    if (outcome === 'expired' && this.#grant) this.#grant = { ...this.#grant, tokens: undefined };
    throw this.#need(outcome);
  }

  #renewals(): Promise<Renewal> {
    this.#renewal ??= import('./renewal.ts').then(({ Renewal }) => new Renewal(this.#options));
    return this.#renewal;
  }

  #refused(message: string): UpstreamAuthError {
    this.#problem = new UpstreamAuthError('refused', message, this.#options.server);
    if (this.#state !== 'signing-in') this.#become('refused');
    return this.#problem;
  }

  /** Notes that a person has to sign in, and asks for it. */
  #need(problem: Exclude<AuthProblem, 'refused'>): UpstreamAuthError {
    const { server } = this.#options;
    this.#problem = new UpstreamAuthError(problem, `${WHY[problem]}: run '${signInCommand(server)}'`, server);
    if (this.#state !== 'signing-in') this.#become('sign-in-needed');
    return this.#problem;
  }

  #become(state: AuthState | undefined): void {
    if (this.#state === state) return;
    this.#state = state;
    if (state === 'sign-in-needed' && !this.#isQuiet) this.#ask();
    else this.#question?.abort();
    this.#options.logger.info('The authorisation for an MCP server changed', {
      mcp_server: this.#options.server,
      auth: state,
    });
    this.#options.onChange();
  }

  #ask(): void {
    const { questions, server, url } = this.#options;
    const question = new AbortController();
    this.#question?.abort();
    this.#question = question;
    const draft = { kind: 'sign-in', server, host: url.host, problem: this.#problem?.problem ?? 'required' } as const;
    questions.ask<'sign-in'>(draft, question.signal).then(
      ({ answer }) => {
        if (answer?.action === 'decline') this.#isQuiet = true;
      },
      // Withdrawn.
      () => {},
    );
  }
}

const WHY: Record<Exclude<AuthProblem, 'refused'>, string> = {
  required: 'HTTP 401',
  expired: 'Its sign-in has expired or was withdrawn',
  scope: 'HTTP 403, it wants further rights',
};
