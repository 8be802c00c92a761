import { ROUTE_QUERY, routeOf } from '@a2c-smcp/protocol';
import { tagOf } from './messages.ts';

/** Where a connection belongs, by the first line of its first request. */
export type Route =
  /** To the worker that has a connection of this id. */
  | { kind: 'session'; sid: string }
  /** To the worker of an office, or of an address. */
  | { kind: 'key'; key: string }
  /** To any worker: a client that does not say for which office it comes. */
  | { kind: 'any' }
  /** To the one worker that answers everything but the protocol: pages, operators, metrics. */
  | { kind: 'operations' };

/** @param path the HTTP path of Engine.IO, with a slash at its end */
export function readRoute(line: string, path: string): Route {
  const [, target = ''] = line.split(' ', 2);
  const [pathname = '', query = ''] = target.split('?', 2);
  if (!`${pathname}/`.startsWith(path)) return { kind: 'operations' };
  const parameters = new URLSearchParams(query);
  // The last of several, as Engine.IO takes it.
  const sid = parameters.getAll('sid').at(-1);
  if (sid) return { kind: 'session', sid };
  const key = parameters.get(ROUTE_QUERY);
  return key ? { kind: 'key', key } : { kind: 'any' };
}

/** A worker that takes connections. */
export interface Candidate {
  index: number;
  /** Connections that it has. */
  connections: number;
}

/** The worker for a connection. Undefined while there is none. */
export function pickWorker<T extends Candidate>(workers: readonly T[], route: Route): T | undefined {
  const [first] = workers;
  switch (route.kind) {
    case 'session':
      // That of a worker that has ended is unknown to all; clients connect again.
      return workers.find(({ index }) => route.sid.startsWith(tagOf(index))) ?? first;
    case 'key':
      return best(workers, ({ index }) => weightOf(route.key, index));
    case 'any':
      return best(workers, ({ connections }) => -connections);
    default:
      return first;
  }
}

/** Equal keys get the same worker, and lose it only when it ends: the others keep theirs. */
function weightOf(key: string, index: number): number {
  return Number.parseInt(routeOf(`${index} ${key} ${index}`), 16);
}

function best<T>(items: readonly T[], scoreOf: (item: T) => number): T | undefined {
  let [winner] = items;
  let highest = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const score = scoreOf(item);
    if (score > highest) [winner, highest] = [item, score];
  }
  return winner;
}
