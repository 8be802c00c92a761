/** The parts of `scheme://host/path?query`, still percent-encoded. A fragment is dropped. */
export interface UriParts {
  host: string;
  path: string;
  query: string;
}

/** Splits a URI of the given scheme, or throws the error of `fail`. Takes linear time for any input. */
export function splitUri(scheme: string, raw: string, fail: (problem: string) => Error): UriParts {
  const prefix = `${scheme}://`;
  if (raw.slice(0, prefix.length).toLowerCase() !== prefix) throw fail(`it does not begin with ${prefix}`);
  if (/[\p{Cc}\p{Surrogate}]/u.test(raw)) throw fail('it holds a control character or half a surrogate pair');
  const [withoutFragment] = cut(raw.slice(prefix.length), '#');
  const [address, query] = cut(withoutFragment, '?');
  const [host, path] = cut(address, '/');
  if (host === '') throw fail('it has no host');
  if (/\p{Z}/u.test(host)) throw fail('its host holds white space');
  return { host, path, query };
}

/** Percent-decodes one segment. */
export function decode(segment: string, fail: (problem: string) => Error): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw fail(`'${abbreviate(segment)}' is not valid percent-encoding`);
  }
}

/** Percent-encodes one segment. */
export function encode(segment: string, fail: (problem: string) => Error): string {
  try {
    return encodeURIComponent(segment);
  } catch {
    throw fail('a part holds half a surrogate pair');
  }
}

/** Keeps an error readable when the URI has a megabyte. */
export function abbreviate(raw: string): string {
  return raw.length <= 1000 ? raw : `${raw.slice(0, 1000)}…`;
}

/** `text` before and after the first `separator`; all of it is before when there is none. */
function cut(text: string, separator: string): [before: string, after: string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}
