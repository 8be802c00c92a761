import type { Logger } from '@a2c-smcp/core';
import { ErrorCode, Role, SmcpError } from '@a2c-smcp/protocol';
import type { OperatorAccess } from '../http/console.ts';
import type { Limits } from '../limits.ts';
import type { Roster } from '../office/roster.ts';
import { MAX_OFFICES } from './node-view.ts';
import type { Nodes } from './nodes.ts';

export interface ApiOptions {
  nodes: Nodes;
  roster: Roster;
  limits: Limits;
  logger: Logger;
}

interface Question {
  query: URLSearchParams;
  /** The parts of the path behind the colons of its pattern. */
  names: string[];
}

type Answer = (question: Question) => Promise<unknown>;

/** Requests below `/api/v1`, but for the event stream. */
export function createApi(options: ApiOptions): OperatorAccess['api'] {
  const routes = Object.entries(answersOf(options)).map(([route, answer]) => {
    const [method = '', pattern = ''] = route.split(' ');
    return { method, answer, path: new RegExp(`^${pattern.replaceAll(/:\w+/g, '([^/]+)')}$`) };
  });
  return async ({ method, path, query }) => {
    const matching = routes.filter(route => route.path.test(path));
    if (matching.length === 0) {
      const text = `There is no '${path}': docs/reference/operator-api.md lists the paths`;
      throw new SmcpError(ErrorCode.NotFound, text);
    }
    const found = matching.find(route => route.method === method);
    if (!found) throw new SmcpError(405, `'${path}' takes ${matching.map(route => route.method).join(' and ')} only`);
    return found.answer({ query, names: (found.path.exec(path) ?? []).slice(1).map(decoded) });
  };
}

/** Answers by method and path. */
function answersOf({ nodes, roster, limits, logger }: ApiOptions): Record<string, Answer> {
  return {
    'GET /about': async () => ({ surface: 'operator' }),

    async 'GET /overview'() {
      await nodes.poll();
      return { ...nodes.overview(), limits };
    },

    async 'GET /stats'({ query }) {
      await nodes.poll();
      return { seconds: nodes.seconds().slice(-countIn(query, 300)) };
    },

    async 'GET /calls'({ query }) {
      await nodes.poll();
      return { calls: newest(nodes.calls.since(0).items, query) };
    },

    async 'GET /moves'({ query }) {
      await nodes.poll();
      return { moves: newest(nodes.moves.since(0).items, query) };
    },

    async 'GET /refusals'({ query }) {
      await nodes.poll();
      return { refusals: newest(nodes.refusals.since(0).items, query) };
    },

    async 'GET /offices'({ query }) {
      const q = (query.get('q') ?? '').toLowerCase();
      return nodes.offices({ q, after: query.get('after') ?? '', limit: countIn(query, MAX_OFFICES) });
    },

    async 'GET /offices/:office'({ names: [office = ''] }) {
      const members = await nodes.members(office);
      if (members.length === 0) throw new SmcpError(ErrorCode.NotFound, `Office '${office}' has no members`);
      return { office, members };
    },

    async 'DELETE /offices/:office/members/:name'({ names: [office = '', name = ''], query }) {
      const roles = rolesIn(query);
      let disconnected = 0;
      for (const role of roles) disconnected += await roster.disconnect({ office, role, name });
      if (disconnected === 0) throw new SmcpError(ErrorCode.NotFound, `Office '${office}' has no member '${name}'`);
      logger.info('An operator disconnected a member', { office, name, roles });
      return { disconnected };
    },
  };
}

/** The newest records that have the fields of the query, newest first. */
function newest<T extends { at: number }>(records: readonly T[], query: URLSearchParams): T[] {
  const limit = countIn(query, 1000);
  const filters = [...query].filter(([field]) => field !== 'limit');
  const isWanted = (record: T) => filters.every(([field, value]) => String(record[field as keyof T]) === value);
  const wanted = records.filter(isWanted).toReversed();
  return wanted.toSorted((a, b) => b.at - a.at).slice(0, limit);
}

function rolesIn(query: URLSearchParams): Role[] {
  const role = query.get('role');
  if (role === null) return ['agent', 'computer'];
  const parsed = Role.safeParse(role);
  if (!parsed.success) throw new SmcpError(ErrorCode.BadRequest, `'role' is 'agent' or 'computer', not '${role}'`);
  return [parsed.data];
}

/** The `limit` of a query. */
function countIn(query: URLSearchParams, most: number): number {
  const text = query.get('limit');
  const value = text === null ? most : Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new SmcpError(ErrorCode.BadRequest, `'limit' is a number from 1 to ${most}, not '${text}'`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw new SmcpError(ErrorCode.BadRequest, `'${part}' is not encoded as a part of a URL`, { cause });
  }
}
