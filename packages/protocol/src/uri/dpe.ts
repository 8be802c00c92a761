import { ErrorCode, SmcpError } from '../errors.ts';
import { ElementCategory } from '../schemas/finder.ts';
import { abbreviate, decode, encode, splitUri } from './text.ts';

export interface DpeQuery {
  format?: 'json' | 'markdown' | 'text';
  depth?: 'metadata' | 'pages';
  offset?: number;
  limit?: number;
  categories?: ElementCategory[];
}

export interface DpeUri {
  /** Selects the MCP server that answers. */
  host: string;
  /** Decoded. Absent at level 0. */
  docRef?: string;
  /** 0 catalogue, 1 document, 2 page, 3 element. */
  level: 0 | 1 | 2 | 3;
  /** At level 2, counted from 0. */
  page?: number;
  /** At level 3, decoded. */
  element?: string;
  /** The parameters the protocol knows. Others are allowed and left to the MCP server. */
  query: DpeQuery;
}

export interface DpeUriParts {
  host: string;
  docRef?: string;
  page?: number;
  element?: string;
  query?: Record<string, string | number>;
}

type Fail = (problem: string) => SmcpError;

/** Reads a `dpe://` URI of any level. Throws `InvalidDpeUri` with `details.uri` when one of the eight rules fails. */
export function parseDpeUri(raw: string): DpeUri {
  const fail = failure(raw);
  const parts = splitUri('dpe', raw, fail);
  const address = parseAddress(parts.path, fail);
  return { host: parts.host, ...address, query: parseQuery(parts.query, fail) };
}

/** Writes a `dpe://` URI and encodes its parts. The result can be parsed. */
export function buildDpeUri({ host, docRef, page, element, query = {} }: DpeUriParts): string {
  const fail = failure(`dpe://${host}`);
  if (docRef === undefined && (page !== undefined || element !== undefined)) throw fail('a page needs a document');
  if (page !== undefined && element !== undefined) throw fail('it names both a page and an element');
  const path = [docRef, ...(page === undefined ? [] : ['pages', String(page)])];
  if (element !== undefined) path.push('elements', element);
  const address = path.filter(segment => segment !== undefined).map(segment => `/${encode(segment, fail)}`);
  const parameters = Object.entries(query).map(([key, value]) => `${encode(key, fail)}=${encodeValue(value, fail)}`);
  const uri = `dpe://${host}${address.join('')}${parameters.length > 0 ? '?' : ''}${parameters.join('&')}`;
  const isUsual = plainHost.test(host) && docRef !== '' && element !== '' && (page === undefined || isPageIndex(page));
  if (isUsual && parameters.length === 0) return uri;
  const parsed = parseDpeUri(uri);
  if (parsed.host !== host || parsed.docRef !== docRef) throw fail('its host or its document is not a name');
  return uri;
}

/** Parts that are encoded and of these forms need no parsing, which takes longer than writing. */
const plainHost = /^[a-zA-Z0-9._-]+$/;

function isPageIndex(page: number): boolean {
  return Number.isSafeInteger(page) && page >= 0;
}

/** The URI of the document that a `dpe://` URI of level 1 to 3 belongs to, written as it was. Throws `InvalidDpeUri`. */
export function documentUri(uri: string): string {
  if (parseDpeUri(uri).docRef === undefined) {
    throw new SmcpError(ErrorCode.InvalidDpeUri, `DPE URI '${uri}' names no document`, { details: { uri } });
  }
  const [address = ''] = uri.split(/[?#]/);
  return address.split('/').slice(0, 4).join('/');
}

function parseAddress(path: string, fail: Fail): Omit<DpeUri, 'host' | 'query'> {
  if (path === '') return { level: 0 };
  const [rawDocRef = '', kind, rest, ...more] = path.split('/', 5);
  const docRef = decode(rawDocRef, fail);
  if (docRef === '') throw fail('its document is empty');
  if (kind === undefined) return { docRef, level: 1 };
  if (more.length > 0 || rest === undefined || rest === '' || (kind !== 'pages' && kind !== 'elements')) {
    throw fail('after the document there may only be pages/NUMBER or elements/ID');
  }
  if (kind === 'elements') return { docRef, level: 3, element: decode(rest, fail) };
  return { docRef, level: 2, page: wholeNumber('the page', rest, fail) };
}

function parseQuery(query: string, fail: Fail): DpeQuery {
  if (query === '') return {};
  // The one of nearly all reads.
  if (query === 'format=markdown') return { format: 'markdown' };
  const parameters = new URLSearchParams(query);
  const parsed: DpeQuery = {};
  for (const [key, read] of Object.entries(readers)) {
    // Each must be valid: the MCP server, which gets the URI as it is, may take another one than the first.
    const [value] = parameters.getAll(key).map(given => read(given, fail));
    if (value !== undefined) Object.assign(parsed, { [key]: value });
  }
  return parsed;
}

const readers: { [K in keyof DpeQuery]-?: (value: string, fail: Fail) => DpeQuery[K] } = {
  format: (value, fail) => oneOf('format', ['json', 'markdown', 'text'], value, fail),
  depth: (value, fail) => oneOf('depth', ['metadata', 'pages'], value, fail),
  offset: (value, fail) => wholeNumber('offset', value, fail),
  limit: (value, fail) => {
    const limit = wholeNumber('limit', value, fail);
    if (limit < 1 || limit > 100) throw fail('limit must be from 1 to 100');
    return limit;
  },
  categories: (value, fail) =>
    value.split(',').map(name => oneOf('each of categories', ElementCategory.options, name, fail)),
};

function oneOf<const T extends string>(name: string, allowed: readonly T[], value: string, fail: Fail): T {
  const found = allowed.find(option => option === value);
  if (found === undefined) throw fail(`${name} must be one of ${allowed.join(', ')}`);
  return found;
}

function wholeNumber(name: string, value: string, fail: Fail): number {
  const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw fail(`${name} must be a whole number, 0 or more`);
  return number;
}

/** A list of categories stays readable: its commas need no encoding. */
function encodeValue(value: string | number, fail: Fail): string {
  return encode(String(value), fail).replaceAll('%2C', ',');
}

function failure(raw: string): Fail {
  const uri = abbreviate(raw);
  return problem =>
    new SmcpError(ErrorCode.InvalidDpeUri, `Invalid DPE URI '${uri}': ${problem}`, { details: { uri } });
}
