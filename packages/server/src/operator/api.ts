import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@a2c-smcp/core';
import { Role } from '@a2c-smcp/protocol';
import type { Limits } from '../limits.ts';
import type { Roster } from '../office/roster.ts';
import type { Feed } from './feed.ts';
import { MAX_OFFICES } from './node-view.ts';
import type { Nodes } from './nodes.ts';

/** The path of the first version of the API. */
export const API_PATH = '/api/v1';

/** Who sends a request. */
export interface OperatorIdentity {
  /** Names the operator in the log. */
  id: string;
}

/** A request that is not answered as it wishes. */
export class ApiError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export interface ApiOptions {
  nodes: Nodes;
  feed: Feed;
  roster: Roster;
  limits: Limits;
  /** Throws an `ApiError` unless an operator sends the request. */
  identify: (request: IncomingMessage) => OperatorIdentity;
  logger: Logger;
}

interface ApiRequest {
  query: URLSearchParams;
  /** The parts of the path in parentheses, decoded. */
  names: string[];
  operator: OperatorIdentity;
}

type Answer = (request: ApiRequest) => Promise<unknown>;

/** Answers requests below `API_PATH`. */
export function createApi(options: ApiOptions): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { feed, identify } = options;
  const routes = routesOf(options);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://server');
    const operator = identify(request);
    if (pathname === `${API_PATH}/events` && request.method === 'GET') {
      if (feed.isFull) throw new ApiError(429, 'There are too many event streams: close one of them');
      return feed.open(request, response);
    }
    const found = routes.flatMap(([path, methods]) => {
      const match = path.exec(pathname);
      return match ? [{ methods, names: match.slice(1).map(decoded) }] : [];
    })[0];
    if (!found) throw new ApiError(404, `There is no '${pathname}': docs/reference/operator-api.md lists the paths`);
    const method = found.methods[request.method ?? ''];
    if (!method) {
      const allow = Object.keys(found.methods).join(', ');
      throw new ApiError(405, `'${pathname}' takes ${allow} only`, { allow });
    }
    sendJson(response, 200, await method({ query, names: found.names, operator }));
  };

  return (request, response) =>
    answer(request, response).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      const { status, message, headers } = error;
      sendJson(response, status, { code: status, message }, headers);
    });
}

function routesOf({ nodes, roster, limits, logger }: ApiOptions): [path: RegExp, methods: Record<string, Answer>][] {
  return [
    [
      /^\/api\/v1\/?$/,
      {
        async GET() {
          await nodes.poll();
          return { ...nodes.overview(), limits };
        },
      },
    ],
    [
      /^\/api\/v1\/stats$/,
      {
        async GET({ query }) {
          await nodes.poll();
          return { seconds: nodes.seconds().slice(-countIn(query, 'limit', 300)) };
        },
      },
    ],
    [
      /^\/api\/v1\/(calls|moves|refusals)$/,
      {
        async GET({ query, names: [list] }) {
          await nodes.poll();
          const records: object[] = nodes[list as 'calls' | 'moves' | 'refusals'].since(0).items;
          const limit = countIn(query, 'limit', 1000);
          const filters = [...query].filter(([field]) => field !== 'limit');
          const isWanted = (record: object) =>
            filters.every(([field, value]) => String((record as Record<string, unknown>)[field]) === value);
          const newest = records
            .filter(isWanted)
            .toReversed()
            .toSorted((a, b) => timeOf(b) - timeOf(a));
          return { [list ?? '']: newest.slice(0, limit) };
        },
      },
    ],
    [
      /^\/api\/v1\/offices$/,
      {
        async GET({ query }) {
          const q = (query.get('q') ?? '').toLowerCase();
          return nodes.offices({ q, after: query.get('after') ?? '', limit: countIn(query, 'limit', MAX_OFFICES) });
        },
      },
    ],
    [
      /^\/api\/v1\/offices\/([^/]+)$/,
      {
        async GET({ names: [office = ''] }) {
          const members = await nodes.members(office);
          if (members.length === 0) throw new ApiError(404, `Office '${office}' has no members`);
          return { office, members };
        },
      },
    ],
    [
      /^\/api\/v1\/offices\/([^/]+)\/members\/([^/]+)$/,
      {
        async DELETE({ names: [office = '', name = ''], query, operator }) {
          const roles = rolesIn(query);
          let disconnected = 0;
          for (const role of roles) disconnected += await roster.disconnect({ office, role, name });
          if (disconnected === 0) throw new ApiError(404, `Office '${office}' has no member '${name}'`);
          logger.info('An operator disconnected a member', { operator: operator.id, office, name, roles });
          return { disconnected };
        },
      },
    ],
  ];
}

function timeOf(record: object): number {
  return (record as { at: number }).at;
}

function rolesIn(query: URLSearchParams): Role[] {
  const role = query.get('role');
  if (role === null) return ['agent', 'computer'];
  const parsed = Role.safeParse(role);
  if (!parsed.success) throw new ApiError(400, `'role' is 'agent' or 'computer', not '${role}'`);
  return [parsed.data];
}

function countIn(query: URLSearchParams, field: string, most: number): number {
  const text = query.get(field);
  const value = text === null ? most : Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new ApiError(400, `'${field}' is a number from 1 to ${most}, not '${text}'`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ApiError(400, `'${part}' is not encoded as a part of a URL`);
  }
}

/** Answers with JSON that no cache keeps. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
    .end(JSON.stringify(body));
}
