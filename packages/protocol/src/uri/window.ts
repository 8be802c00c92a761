import { ErrorCode, SmcpError } from '../errors.ts';
import { abbreviate, decode, encode, splitUri } from './text.ts';

export interface WindowUri {
  /** The namespace of the MCP server, as in `com.example.browser`. */
  host: string;
  /** Decoded segments: `src%2Fmain` is the one segment `src/main`. */
  path: string[];
  /** The URI without query and fragment, which are no part of its identity. */
  uri: string;
}

/** Reads `window://host/path…`. Throws a `BadRequest` when it is none. Empty segments are dropped. */
export function parseWindowUri(raw: string): WindowUri {
  const fail = failure(raw);
  const { host, path } = splitUri('window', raw, fail);
  const segments = path.split('/').filter(segment => segment !== '');
  return {
    host,
    path: segments.map(segment => decode(segment, fail)),
    uri: `window://${raw.slice('window://'.length).replace(/[?#].*$/s, '')}`,
  };
}

/** Writes `window://host/path…`, encoding each segment. */
export function buildWindowUri(host: string, path: readonly string[] = []): string {
  const fail = failure(`window://${host}`);
  if (path.includes('')) throw fail('a segment of its path is empty');
  const uri = ['window:/', host, ...path.map(segment => encode(segment, fail))].join('/');
  if (parseWindowUri(uri).host !== host) throw fail(`'${abbreviate(host)}' is not a host`);
  return uri;
}

function failure(raw: string): (problem: string) => SmcpError {
  const uri = abbreviate(raw);
  return problem => new SmcpError(ErrorCode.BadRequest, `'${uri}' is no window URI: ${problem}`, { details: { uri } });
}
