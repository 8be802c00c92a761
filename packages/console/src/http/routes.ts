import { HttpError } from './respond.ts';

/** A request to the API of a console. */
export interface ApiRequest {
  method: string;
  /** Below the path of the API, as in `/servers/files`. */
  path: string;
  query: URLSearchParams;
  /** The parsed JSON; undefined without a body. */
  body: unknown;
  /** Fires when the client has gone away. */
  signal: AbortSignal;
}

/** A request whose path matched: the decoded parts behind the colons of its pattern. */
export interface RoutedRequest extends ApiRequest {
  params: Record<string, string>;
}

/** Returns what is answered as JSON, or a `BinaryAnswer`; or throws an `HttpError` or an `SmcpError`. Undefined answers 204. */
export type Api = (request: ApiRequest) => unknown;

/** Handlers by method and pattern, as in `GET /servers/:name`. */
export type Routes = Record<string, (request: RoutedRequest) => unknown>;

/** An API made of routes. Patterns with fewer variables must come first if two match one path. */
export function routed(routes: Routes): Api {
  const table = Object.entries(routes).map(([route, handle]) => {
    const [method = '', pattern = ''] = route.split(' ');
    return { method, parts: pattern.split('/'), handle };
  });
  return request => {
    const parts = request.path.split('/');
    const matching = table.filter(route => matches(route.parts, parts));
    if (matching.length === 0) throw new HttpError(404, `There is no '${request.path}'`);
    const found = matching.find(({ method }) => method === request.method);
    if (!found) throw new HttpError(405, `'${request.path}' does not take ${request.method}`);
    const named = found.parts.map((part, index) => [part, parts[index] ?? ''] as const);
    const params = named.filter(([part]) => part.startsWith(':')).map(([part, text]) => [part.slice(1), decoded(text)]);
    return found.handle({ ...request, params: Object.fromEntries(params) });
  };
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  if (pattern.length !== parts.length) return false;
  return pattern.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new HttpError(400, 'The path is not encoded correctly', { cause });
  }
}
