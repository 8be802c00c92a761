import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@a2c-smcp/core';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import { apiKeys } from '../auth/api-keys.ts';
import type { OperatorAccess, OperatorConsole, OperatorHandler } from '../http/console.ts';
import type { Limits } from '../limits.ts';
import { createApi } from './api.ts';
import { Feed } from './feed.ts';
import type { NodeParts } from './node-view.ts';
import { Nodes } from './nodes.ts';

const API_PATH = '/api/v1/';

/** A key fits into a header, and is long: every client that reaches the Server may guess. */
const KEY = /^[\x21-\x7e]{16,}$/;

export interface OperatorOptions extends NodeParts {
  keys: readonly string[];
  /** Answers in place of `answerPrograms`, for browsers too. */
  console: OperatorConsole | undefined;
  limits: Limits;
  /** The IP address of a client. */
  addressOf: (request: IncomingMessage) => string;
  logger: Logger;
}

/** Shows a Server to its operators. */
export class Operator {
  /** Answers requests for operators, and no others. */
  readonly handle: OperatorHandler;
  readonly #feed: Feed;

  constructor(options: OperatorOptions) {
    const { node, hub, observer, keys, console: page, limits, addressOf, logger } = options;
    const nodes = new Nodes(options);
    this.#feed = new Feed(nodes, limits);
    const isOperator = checkKeys(keys);
    const access: OperatorAccess = {
      api: createApi({ nodes, roster: hub.roster, limits, logger }),
      events: { connect: (request, response) => this.#feed.open(request, response) },
      authorize(request) {
        const problem = isOperator(request);
        if (problem === undefined) return true;
        const address = addressOf(request);
        hub.refused({ reason: 'operator', address, message: problem });
        logger.warn('An operator was not admitted', { address, reason: problem });
        throw new SmcpError(ErrorCode.Unauthorized, problem);
      },
    };
    this.handle = (page ?? answerPrograms(logger))(access);
    observer?.watch(node, hub.events, peer => hub.offices.member(peer));
  }

  /** Ends all event streams. */
  close(): void {
    this.#feed.close();
  }
}

/** Answers programs, which send the key of an operator with each request. */
function answerPrograms(logger: Logger): OperatorConsole {
  const answer = async (access: OperatorAccess, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://server');
    const { method = '' } = request;
    const path = pathname.slice(API_PATH.length - 1);
    access.authorize(request);
    if (path === '/events' && method === 'GET') await access.events.connect(request, response);
    else send(response, 200, await access.api({ method, path, query }));
  };

  return access => (request, response) => {
    if (!request.url?.startsWith(API_PATH)) return false;
    answer(access, request, response).catch((error: unknown) => {
      const isAnswer = error instanceof SmcpError && error.code < 600;
      if (!isAnswer) logger.error('A request of an operator failed unexpectedly', { error });
      if (response.headersSent) {
        response.destroy();
        return;
      }
      const status = isAnswer ? error.code : ErrorCode.Internal;
      const message = isAnswer ? error.message : 'The request failed; the log of the Server says why';
      send(response, status, { error: { code: status, message } });
    });
    return true;
  };
}

/** Says what is wrong with the credentials of a request; undefined for those of an operator. */
function checkKeys(keys: readonly string[]): (request: IncomingMessage) => string | undefined {
  const weak = keys.findIndex(key => !KEY.test(key));
  if (weak !== -1) {
    throw new TypeError(`Key ${weak + 1} of the operators is weak: it needs 16 or more ASCII characters, no spaces`);
  }
  const check = keys.length > 0 ? apiKeys(keys, { name: 'token' }) : () => null;
  return ({ headers }) => {
    const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
    if (token === undefined) return "Send an operator's key as 'Authorization: Bearer KEY'";
    try {
      if (check({ headers: {}, auth: { token }, address: '' })) return undefined;
    } catch {
      // None of the keys.
    }
    return 'The key is not that of an operator; keys of Agents and Computers are not accepted here';
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === ErrorCode.Unauthorized ? { 'www-authenticate': 'Bearer' } : {}),
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
}
