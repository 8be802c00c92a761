import { limitSignal, pause, within } from '@a2c-smcp/core';
import type { MCPServerOAuth } from '@a2c-smcp/protocol';
import {
  type FetchLike,
  IssuerMismatchError,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import * as z from 'zod';
import { requireSafeUrl } from './auth-fetch.ts';
import { type AuthServer, endpointOf, scopeFor } from './auth-server.ts';
import { Callback } from './callback.ts';
import { DEVICE_GRANT, obtainClient } from './client.ts';
import { AuthServerError } from './errors.ts';
import { type UsableGrant, withTokens } from './grant.ts';
import { post, requestTokens } from './token-endpoint.ts';

/** Details that a person needs beside the address. */
export interface SignInStep {
  /** The code to type there, if the address does not have it. */
  userCode?: string | undefined;
  /** Where the browser returns to; undefined if it does not. */
  redirectUri?: string | undefined;
  /**
   * Takes the address that the browser was sent to, for a browser on another machine. Throws a `TypeError` if it is none of
   * this sign-in.
   */
  paste(address: string): void;
}

export interface SignInOptions {
  /** Gets the address that a person has to visit. It is for that person alone. */
  onUrl: (url: string, step: SignInStep) => void;
  /** Asks for a code to type on any device instead of a return of the browser, if the authorization server offers it. */
  device?: boolean | undefined;
  /** Cancels the sign-in. */
  signal?: AbortSignal | undefined;
}

export interface SignInContext {
  serverUrl: URL;
  server: AuthServer;
  settings: MCPServerOAuth;
  /** The scopes of the challenge, and those that were granted before. */
  scope: string | undefined;
  /** The port of the last sign-in. */
  port: number | undefined;
  fetch: FetchLike;
  /** Learns texts that must not be seen. */
  hide: (secrets: string[]) => void;
}

/** Milliseconds that a person has. */
const SIGN_IN_TIMEOUT_MS = 10 * 60_000;

/** Has a person sign in, and resolves with the grant. */
export async function signIn(
  context: SignInContext,
  options: SignInOptions,
  signal: AbortSignal,
): Promise<UsableGrant> {
  const limit = limitSignal(signal, SIGN_IN_TIMEOUT_MS);
  try {
    const offersDevices = endpointOf(context.server, 'device_authorization_endpoint') !== undefined;
    return await (options.device && offersDevices ? byDevice : byBrowser)(context, options, limit);
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) throw new Error('Nobody signed in within 10 minutes');
    throw error;
  }
}

async function byBrowser(context: SignInContext, { onUrl }: SignInOptions, signal: AbortSignal): Promise<UsableGrant> {
  const { server, serverUrl, settings, fetch, hide } = context;
  const scope = scopeFor(server, settings, context.scope);
  await using callback = await Callback.open({
    redirectUri: redirectUriOf(settings),
    path: pathOf(settings),
    port: context.port,
  });
  const { redirectUri, state } = callback;
  const client = await obtainClient(server, { settings, redirectUri, scope, fetch });
  const { metadata, resource } = server;
  const { authorizationUrl, codeVerifier } = await startAuthorization(server.url, {
    ...(metadata ? { metadata } : {}),
    clientInformation: client,
    redirectUrl: redirectUri,
    state,
    ...(scope === undefined ? {} : { scope }),
    ...(resource === undefined ? {} : { resource }),
  }).catch(() => {
    throw new AuthServerError('Its authorization server does not sign in as MCP wants it (a code with PKCE S256)');
  });
  requireSafeUrl(authorizationUrl, serverUrl);
  hide([codeVerifier, state]);
  onUrl(authorizationUrl.href, { redirectUri, paste: address => callback.paste(address) });
  const { code, iss } = await within(callback.result, { signal });
  hide([code]);
  requireIssuer(server, iss);
  const fields = { grant_type: 'authorization_code', code, code_verifier: codeVerifier, redirect_uri: redirectUri };
  const tokens = await requestTokens(fields, { server, client, settings, fetch });
  callback.finish(true);
  return withTokens({ version: 1, issuer: server.issuer, client, port: callback.port }, tokens, scope);
}

/** Another authorization server may have answered in the place of ours (RFC 9207). */
function requireIssuer({ metadata }: AuthServer, iss: string | undefined): void {
  const issParameterSupported = metadata?.authorization_response_iss_parameter_supported === true;
  try {
    validateAuthorizationResponseIssuer({ iss, expectedIssuer: metadata?.issuer, issParameterSupported });
  } catch (error) {
    if (!(error instanceof IssuerMismatchError)) throw error;
    throw new AuthServerError('Another authorization server answered than the one that was asked (issuer mismatch)');
  }
}

/** The address that a client is registered with; undefined if it is registered with any. */
function redirectUriOf({ redirect_uri, callback_port }: MCPServerOAuth): string | undefined {
  return redirect_uri ?? (callback_port === undefined ? undefined : `http://127.0.0.1:${callback_port}/callback`);
}

/** A client that is registered already has a fixed path; RFC 8252 lets the port vary. */
function pathOf({ client_id, client_metadata_url }: MCPServerOAuth): string | undefined {
  return (client_id ?? client_metadata_url) === undefined ? undefined : '/callback';
}

const DeviceCode = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string().optional(),
  /** In seconds. */
  interval: z.coerce.number().min(0).max(60).default(5),
});

/** RFC 8628: the person types a code on any device, and we ask until that is done. */
async function byDevice(context: SignInContext, { onUrl }: SignInOptions, signal: AbortSignal): Promise<UsableGrant> {
  const { server, serverUrl, settings, fetch, hide } = context;
  const scope = scopeFor(server, settings, context.scope);
  const client = await obtainClient(server, { settings, redirectUri: undefined, scope, fetch });
  const request = { server, client, settings, fetch };
  const endpoint = endpointOf(server, 'device_authorization_endpoint') ?? '';
  const answer = DeviceCode.safeParse(await post(endpoint, { scope, resource: server.resource }, request));
  if (!answer.success) throw new AuthServerError('The authorization server gave no code for a device');
  const { device_code, user_code, verification_uri, verification_uri_complete } = answer.data;
  for (const address of [verification_uri, verification_uri_complete ?? verification_uri]) {
    requireSafeUrl(new URL(address), serverUrl);
  }
  hide([device_code]);
  onUrl(verification_uri, { userCode: user_code, paste: () => refusePaste() });
  for (let interval = answer.data.interval * 1000; ; ) {
    await pause(interval, signal);
    try {
      const tokens = await requestTokens({ grant_type: DEVICE_GRANT, device_code }, request);
      return withTokens({ version: 1, issuer: server.issuer, client }, tokens, scope);
    } catch (error) {
      const { code = '', isOutage = false } = error instanceof AuthServerError ? error : {};
      if (code === 'slow_down') interval += 5000;
      else if (code !== 'authorization_pending' && !isOutage) throw error;
    }
  }
}

function refusePaste(): never {
  throw new TypeError('This sign-in needs no address: type the code on its page');
}
