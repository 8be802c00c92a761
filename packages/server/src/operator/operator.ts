import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@a2c-smcp/core';
import { apiKeys } from '../auth/api-keys.ts';
import type { Limits } from '../limits.ts';
import { API_PATH, ApiError, createApi, type OperatorIdentity, sendJson } from './api.ts';
import { Feed } from './feed.ts';
import type { NodeParts } from './node-view.ts';
import { Nodes } from './nodes.ts';

/** A key fits into a header, and is long: every client that reaches the Server may guess. */
const KEY = /^[\x21-\x7e]{16,}$/;

export interface OperatorOptions extends NodeParts {
  keys: readonly string[];
  limits: Limits;
  /** The IP address of a client. */
  addressOf: (request: IncomingMessage) => string;
  logger: Logger;
}

/** Shows a Server to its operators: everything below `/api/v1`. */
export class Operator {
  readonly #feed: Feed;
  readonly #answer: ReturnType<typeof createApi>;
  readonly #logger: Logger;

  constructor(options: OperatorOptions) {
    const { node, hub, observer, keys, limits, addressOf, logger } = options;
    const identify = operatorKeys(keys);
    const nodes = new Nodes(options);
    observer?.watch(node, hub.events, peer => hub.offices.member(peer));
    this.#logger = logger;
    this.#feed = new Feed(nodes, limits);
    this.#answer = createApi({
      ...{ nodes, feed: this.#feed, roster: hub.roster, limits, logger },
      identify(request) {
        try {
          return identify(request);
        } catch (error) {
          const { message } = error as Error;
          const address = addressOf(request);
          hub.refused({ reason: 'operator', address, message });
          logger.warn('An operator was not admitted', { address, reason: message });
          throw new ApiError(401, message, { 'www-authenticate': 'Bearer' });
        }
      },
    });
  }

  /** Answers a request, if it is one for operators. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    if (!`${request.url}/`.replace('?', '/').startsWith(`${API_PATH}/`)) return false;
    this.#answer(request, response).catch((error: unknown) => {
      this.#logger.error('A request of an operator failed unexpectedly', { error });
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { code: 500, message: 'The request failed; the log of the Server says why' });
    });
    return true;
  }

  /** Ends all event streams. */
  close(): void {
    this.#feed.close();
  }
}

/** Finds out which operator sends a request, by its bearer token. Throws when it is none. */
function operatorKeys(keys: readonly string[]): (request: IncomingMessage) => OperatorIdentity {
  const weak = keys.findIndex(key => !KEY.test(key));
  if (weak !== -1) {
    throw new TypeError(`Key ${weak + 1} of the operators is weak: it needs 16 or more ASCII characters, no spaces`);
  }
  const identities = keys.map((key, index) => [key, { id: `operator-${index + 1}` }] as const);
  const check = apiKeys(new Map(identities), { name: 'token' });
  return ({ headers }) => {
    const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
    if (token === undefined) throw new Error("Send an operator's key as 'Authorization: Bearer KEY'");
    try {
      return check({ headers: {}, auth: { token }, address: '' }) as OperatorIdentity;
    } catch {
      throw new Error('The key is not that of an operator; keys of Agents and Computers are not accepted here');
    }
  };
}
