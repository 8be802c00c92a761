import type { Logger } from '@a2c-smcp/core';
import type { MCPServerOAuth } from '@a2c-smcp/protocol';
import type { Origin } from '../config/origin.ts';
import type { InputStore } from '../inputs/store.ts';
import type { Questions } from '../questions/questions.ts';
import type { Secrets } from '../secrets/secrets.ts';

/**
 * The sign-in state of an MCP server that wants OAuth: the Computer has tokens; a person has to sign in, or to sign in anew; a
 * sign-in is pending; or the server refuses what was granted.
 */
export type AuthState = 'signed-in' | 'sign-in-needed' | 'signing-in' | 'refused';

export interface ServerAuthOptions {
  server: string;
  /** The configuration of the server, to which its tokens belong. */
  origin: Origin;
  url: URL;
  settings: MCPServerOAuth;
  store: InputStore;
  secrets: Secrets;
  /** Where a sign-in that is needed is asked for. */
  questions: Questions;
  /** Called when the state has changed. */
  onChange: () => void;
  logger: Logger;
}

/** The challenge of a server that refused a request. */
export interface Challenge {
  resourceMetadataUrl?: URL | undefined;
  scope?: string | undefined;
}
