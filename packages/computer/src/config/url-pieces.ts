import { isCredentialName } from './credential-names.ts';
import { isHarmless, isPlaceholders, isPlainName, isPlainSegment } from './harmless.ts';
import { hidden, type Piece, shown } from './piece.ts';

/** Works on the text, because one with placeholders need not be a URL yet. */
const URL_PARTS = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is;

/** The pieces of a URL: scheme and host may be seen, all else as far as it is known to be harmless. */
export function urlPieces(url: string): Piece[] {
  const parts = URL_PARTS.exec(url);
  if (!parts) return [isPlaceholders(url) ? shown(url) : hidden(url)];
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = parts;
  return [
    shown(scheme),
    ...authorityPieces(authority, path),
    ...path.split(/(\/)/).map(segment => (segment === '/' || isPlainName(segment) ? shown(segment) : hidden(segment))),
    ...query.split(/([?&;])/).flatMap(part => (/^[?&;]$/.test(part) ? [shown(part)] : parameterPieces(part))),
    ...(fragment === '' ? [] : [shown('#'), judged(fragment.slice(1))]),
  ];
}

/** The user and the password of a URL, decoded. */
export function userOf(url: string): { user: string; password: string } | undefined {
  const [, , authority = ''] = URL_PARTS.exec(url) ?? [];
  const at = authority.lastIndexOf('@');
  if (at === -1) return undefined;
  const [user = '', ...password] = authority.slice(0, at).split(':');
  return { user: decoded(user), password: decoded(password.join(':')) };
}

/** The text without its URL encoding, or as it is where that is broken. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function authorityPieces(authority: string, path: string): Piece[] {
  const at = authority.lastIndexOf('@');
  if (at !== -1) {
    const user = authority.slice(0, at);
    return [isPlaceholders(user) ? shown(user) : hidden(user), shown('@'), ...hostPieces(authority.slice(at + 1))];
  }
  // A password with a slash that was not encoded ends the authority too early.
  return path.includes('@') && authority.includes(':') ? [hidden(authority)] : hostPieces(authority);
}

function hostPieces(host: string): Piece[] {
  if (/^\[[0-9a-f:.]*\](?::\d{1,5})?$/i.test(host)) return [shown(host)];
  const [, name = host, port = ''] = /^(.*?)(:\d{0,5})$/s.exec(host) ?? [];
  const labels = name.split(/(\.)/).map(label => (label === '.' || isHostLabel(label) ? shown(label) : hidden(label)));
  return [...labels, shown(port)];
}

function isHostLabel(label: string): boolean {
  return isPlainSegment(label) && !label.includes(':');
}

function parameterPieces(parameter: string): Piece[] {
  const at = parameter.indexOf('=');
  if (at === -1) return [judged(parameter)];
  const [name, value] = [parameter.slice(0, at), parameter.slice(at + 1)];
  const isShown = isPlaceholders(value) || (!isCredentialName(name) && isHarmless(value));
  return [isPlainSegment(name) ? shown(name) : hidden(name), shown('='), isShown ? shown(value) : hidden(value)];
}

function judged(text: string): Piece {
  return isHarmless(text) ? shown(text) : hidden(text);
}
