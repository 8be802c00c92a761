import type { MCPServerOAuth } from '@a2c-smcp/protocol';
import { computeScopeUnion } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { hashOf, type Origin, storeKey } from '../config/origin.ts';
import type { InputStore } from '../inputs/store.ts';
import { isSameIssuer } from './issuer.ts';
import type { Tokens } from './token-endpoint.ts';

/** The OAuth state for one MCP server: the client at one authorization server, and the tokens from there. */
export const Grant = z.object({
  version: z.literal(1),
  /** The authorization server. None of this is ever sent to another one. */
  issuer: z.string(),
  client: z.looseObject({ client_id: z.string(), client_secret: z.string().optional() }),
  /** Undefined once they are known to be of no use. */
  tokens: z
    .object({
      access_token: z.string(),
      refresh_token: z.string().optional(),
      /** Milliseconds since 1970. */
      obtained_at: z.number(),
      expires_at: z.number().optional(),
    })
    .optional(),
  /** The scopes that were granted. */
  scope: z.string().optional(),
  /** The port of the callback, for authorization servers that compare it. */
  port: z.number().optional(),
});
export type Grant = z.infer<typeof Grant>;
export type UsableGrant = Grant & { tokens: NonNullable<Grant['tokens']> };

export function isUsable(grant: Grant | undefined): grant is UsableGrant {
  return grant?.tokens !== undefined;
}

/** A token is renewed when less than this is left of it, or a tenth of its life if that is shorter. */
const RENEW_AHEAD_MS = 60_000;

/** The grant after an answer of the token endpoint. A refresh may leave out what has not changed. */
export function withTokens(grant: Grant, answer: Tokens, asked?: string): UsableGrant {
  const { access_token, refresh_token = grant.tokens?.refresh_token, expires_in, scope } = answer;
  const obtained_at = Date.now();
  return {
    ...grant,
    tokens: {
      access_token,
      obtained_at,
      ...(refresh_token === undefined ? {} : { refresh_token }),
      ...(expires_in === undefined ? {} : { expires_at: obtained_at + expires_in * 1000 }),
    },
    scope: computeScopeUnion(scope ?? asked ?? grant.scope),
  };
}

/** True if the access token of a grant should be renewed before it is used. */
export function isStale({ tokens }: UsableGrant): boolean {
  if (tokens.expires_at === undefined) return false;
  const ahead = Math.min(RENEW_AHEAD_MS, (tokens.expires_at - tokens.obtained_at) / 10);
  return Date.now() > tokens.expires_at - ahead;
}

/** The texts in a grant that must not be seen. */
export function secretsOfGrant({ client, tokens }: Grant): string[] {
  return [client.client_secret, tokens?.access_token, tokens?.refresh_token].filter(each => each !== undefined);
}

export interface GrantStoreOptions {
  store: InputStore;
  origin: Origin;
  server: string;
  url: URL;
  settings: MCPServerOAuth;
}

/** Where the grant of one MCP server is stored. */
export class GrantStore {
  readonly #store: InputStore;
  readonly #key: string;
  readonly #settings: MCPServerOAuth;

  /** A server that has another address, or comes from another configuration, has a grant of its own. */
  constructor({ store, origin, server, url, settings }: GrantStoreOptions) {
    this.#store = store;
    this.#settings = settings;
    // No input has such an origin, so that none can be filled with a token.
    this.#key = storeKey(`oauth:${origin}`, hashOf(JSON.stringify([server, url.href])));
  }

  async read(): Promise<Grant | undefined> {
    const text = await this.#store.get(this.#key);
    if (text === undefined) return undefined;
    try {
      const grant = Grant.parse(JSON.parse(text));
      return this.#isOurs(grant) ? grant : undefined;
    } catch {
      // Of another version, or damaged: a sign-in replaces it.
      return undefined;
    }
  }

  write(grant: Grant): Promise<void> {
    const { client_id } = this.#settings;
    // The secret of a client that is configured has a place of its own, and may change there.
    const client = client_id === undefined ? grant.client : { client_id };
    return this.#store.set(this.#key, JSON.stringify({ ...grant, client }));
  }

  delete(): Promise<void> {
    return this.#store.delete(this.#key);
  }

  /** True if it was granted to the client, and by the authorization server, that the configuration names now. */
  #isOurs({ issuer, client }: Grant): boolean {
    const { client_id = client.client_id, issuer: wanted = issuer } = this.#settings;
    return client_id === client.client_id && isSameIssuer(wanted, issuer);
  }

  /** Runs `work` while no other user of the store does so for this grant. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#store.exclusively ? this.#store.exclusively(this.#key, work) : work();
  }
}
