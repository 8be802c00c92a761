import { ConfigError, type MCPServerOAuth } from '@a2c-smcp/protocol';
import { computeScopeUnion, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { authFetch, isLoopback } from './auth-fetch.ts';
import { type AuthServer, discoverAuthServer, endpointOf, scopeFor } from './auth-server.ts';
import { configuredClient } from './client.ts';
import { AuthServerError } from './errors.ts';
import { type Grant, GrantStore, isUsable, type UsableGrant, withTokens } from './grant.ts';
import type { Challenge, ServerAuthOptions } from './options.ts';
import { type SignInOptions, signIn } from './sign-in.ts';
import { post, requestTokens } from './token-endpoint.ts';

export { computeScopeUnion as unionOf, extractWWWAuthenticateParams as readChallenge };

/** Gets, renews, stores and revokes the tokens of one MCP server. */
export class Renewal {
  readonly #options: ServerAuthOptions;
  readonly #grants: GrantStore;
  #server: Promise<AuthServer> | undefined;

  constructor(options: ServerAuthOptions) {
    this.#options = options;
    this.#grants = new GrantStore(options);
  }

  /** Looks for the authorization server anew the next time. */
  forget(): void {
    this.#server = undefined;
  }

  /**
   * A grant whose token is not the one that failed, stored before it is used. Of all processes that share the store one
   * refreshes it and the others take it from there. Otherwise the reason: nothing was granted, it is spent, or refused.
   */
  renew(challenge: Challenge, failed: string | undefined): Promise<UsableGrant | 'required' | 'expired' | 'refused'> {
    return this.#grants.exclusively(async () => {
      const grant = await this.#grants.read();
      if (isUsable(grant) && grant.tokens.access_token !== failed) return grant;
      if (this.#options.settings.grant === 'client_credentials') return this.#requestAlone(challenge);
      if (!grant) return 'required';
      if (!isUsable(grant)) return 'expired';
      return this.#refresh(grant, challenge);
    });
  }

  /** Has a person sign in. */
  async signIn(challenge: Challenge, options: SignInOptions, signal: AbortSignal): Promise<UsableGrant> {
    const { url: serverUrl, settings, secrets, server: name } = this.#options;
    requireLoopback(settings);
    if (settings.grant === 'client_credentials') {
      const grant = await this.#grants.exclusively(() => this.#requestAlone(challenge));
      if (grant === 'refused') throw new AuthServerError("Its authorization server refuses the client of 'oauth'");
      return grant;
    }
    const server = await this.#find(challenge);
    const former = await this.#grants.read().catch(() => undefined);
    const scope = computeScopeUnion(former?.issuer === server.issuer ? former.scope : undefined, challenge.scope);
    const fetch = authFetch(serverUrl, signal);
    const hide = (values: string[]) => secrets.renew(`sign-in:${name}`, values);
    const grant = await signIn(
      { server, serverUrl, settings, scope, port: former?.port, fetch, hide },
      options,
      signal,
    );
    return this.#grants.exclusively(() => this.#store(grant));
  }

  async signOut(challenge: Challenge): Promise<void> {
    const grant = await this.#grants.read();
    await this.#grants.delete();
    if (grant?.tokens) await this.#revoke(grant, challenge);
  }

  async #revoke(grant: Grant, challenge: Challenge): Promise<void> {
    const { url, settings, logger, server: name } = this.#options;
    try {
      const server = await this.#find(challenge);
      const endpoint = endpointOf(server, 'revocation_endpoint');
      if (server.issuer !== grant.issuer || endpoint === undefined) return;
      const { access_token, refresh_token } = grant.tokens ?? {};
      const client = configuredClient(server, settings) ?? grant.client;
      const request = { server, client, settings, fetch: authFetch(url) };
      if (refresh_token) await post(endpoint, { token: refresh_token, token_type_hint: 'refresh_token' }, request);
      await post(endpoint, { token: access_token, token_type_hint: 'access_token' }, request);
    } catch (error) {
      logger.warn('The tokens of an MCP server could not be revoked; they are forgotten here', {
        mcp_server: name,
        error,
      });
    }
  }

  async #refresh(grant: UsableGrant, challenge: Challenge): Promise<UsableGrant | 'expired'> {
    const { settings, url } = this.#options;
    const { refresh_token } = grant.tokens;
    const server = refresh_token === undefined ? undefined : await this.#find(challenge);
    // A refresh token goes to nobody but the authorization server that it came from.
    if (!server || server.issuer !== grant.issuer) return this.#spend(grant);
    try {
      const client = configuredClient(server, settings) ?? grant.client;
      const request = { server, client, settings, fetch: authFetch(url) };
      const tokens = await requestTokens({ grant_type: 'refresh_token', refresh_token }, request);
      return await this.#store(withTokens(grant, tokens));
    } catch (error) {
      if (!(error instanceof AuthServerError) || error.isOutage) throw error;
      // A user of the store that takes no part in the exclusion, as on another machine, may have been faster.
      const now = await this.#grants.read();
      if (isUsable(now) && now.tokens.refresh_token !== refresh_token) return now;
      return this.#spend(grant);
    }
  }

  /** Client credentials: no person takes part. */
  async #requestAlone(challenge: Challenge): Promise<UsableGrant | 'refused'> {
    const { settings, url } = this.#options;
    const server = await this.#find(challenge);
    const client = configuredClient(server, settings);
    if (!client) throw new ConfigError('oauth.client_id', "the grant 'client_credentials' needs the id of a client");
    const scope = scopeFor(server, settings, challenge.scope);
    try {
      const fields = { grant_type: 'client_credentials', scope };
      const tokens = await requestTokens(fields, { server, client, settings, fetch: authFetch(url) });
      return await this.#store(withTokens({ version: 1, issuer: server.issuer, client }, tokens, scope));
    } catch (error) {
      if (!(error instanceof AuthServerError) || error.isOutage || error.code === undefined) throw error;
      return 'refused';
    }
  }

  #find({ resourceMetadataUrl }: Challenge): Promise<AuthServer> {
    const { url, settings } = this.#options;
    const options = { serverUrl: url, resourceMetadataUrl, settings, fetch: authFetch(url) };
    this.#server ??= discoverAuthServer(options);
    this.#server.catch(() => this.forget());
    return this.#server;
  }

  /** Before anything else is done with it: whoever loses a rotated token has to sign in again. */
  async #store(grant: UsableGrant): Promise<UsableGrant> {
    const { logger, server } = this.#options;
    try {
      await this.#grants.write(grant);
    } catch (error) {
      logger.error('A sign-in could not be stored and ends with this process', { mcp_server: server, error });
    }
    return grant;
  }

  /** Forgets the tokens, but not that there were some. */
  async #spend({ tokens: _, ...grant }: Grant): Promise<'expired'> {
    await this.#grants.write(grant);
    return 'expired';
  }
}

function requireLoopback({ redirect_uri: address }: MCPServerOAuth): void {
  if (address === undefined || (URL.canParse(address) && isLoopback(new URL(address)))) return;
  throw new ConfigError(
    'oauth.redirect_uri',
    'expected an address of this machine such as http://127.0.0.1:8976/callback',
  );
}
