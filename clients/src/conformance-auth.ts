import type { CallToolResult, Computer } from '@a2c-smcp/computer';
import { errorCodeOf, type MCPServerOAuth } from '@a2c-smcp/protocol';

/** The scenario that a client announces by this document. */
const CLIENT_METADATA_URL = 'https://conformance-test.local/client-metadata.json';
/** Sign-ins that the person of a scenario is ready for. */
const MAX_SIGN_INS = 3;

/** The credentials that the suite gives to a client that is registered already. */
export interface AuthContext {
  client_id?: string;
  client_secret?: string;
  private_key_pem?: string;
  signing_algorithm?: string;
  issuer?: string;
}

/** The settings of a scenario about authorization. */
export function oauthOf(scenario: string, context: AuthContext): MCPServerOAuth {
  const { client_id, client_secret, private_key_pem: private_key, signing_algorithm: algorithm, issuer } = context;
  const given = Object.entries({ client_id, client_secret, private_key, algorithm, issuer });
  return {
    client_metadata_url: CLIENT_METADATA_URL,
    ...(scenario.includes('client-credentials') ? { grant: 'client_credentials' } : {}),
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
  };
}

/** A person who signs in whenever the Computer asks for it. The pages of the suite agree by themselves. */
export class Person {
  readonly #computer: Computer;
  #count = 0;

  constructor(computer: Computer) {
    this.#computer = computer;
  }

  /** Signs in if that is needed. */
  async attend(): Promise<void> {
    const isAsked = () => this.#computer.questions.open.some(({ kind }) => kind === 'sign-in');
    while (isAsked() && this.#count < MAX_SIGN_INS) {
      this.#count += 1;
      await this.#computer.signIn('suite', { onUrl: url => void agree(url) });
    }
  }

  /** Calls a tool, and once more after each sign-in that the call needs. */
  async call(call: () => Promise<CallToolResult>): Promise<CallToolResult> {
    for (;;) {
      const result = await call();
      const before = this.#count;
      if (![4006, 4007].includes(errorCodeOf(result) ?? 0)) return result;
      await this.attend();
      if (this.#count === before) return result;
    }
  }
}

async function agree(url: string): Promise<void> {
  const page = await fetch(url, { redirect: 'manual' });
  const location = page.headers.get('location');
  if (location !== null) await fetch(new URL(location, url));
}
