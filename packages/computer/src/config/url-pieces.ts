import { isCredentialName } from './credential-names.ts';
import { isPlaceholders, isPlainSegment, judge, urlSegment } from './harmless.ts';
import { type Piece, secret, shown } from './piece.ts';

/** Works on the text, because one with placeholders need not be a URL yet. */
const URL_PARTS = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is;

/** The pieces of a URL: scheme and host may be seen, all else as far as it is known to be harmless. */
export function urlPieces(url: string): Piece[] {
  const parts = URL_PARTS.exec(url);
  if (!parts) return [isPlaceholders(url) ? shown(url) : secret(url)];
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = parts;
  return [
    shown(scheme),
    ...authorityPieces(authority, path),
    ...path.split(/(\/)/).map(segment => (segment === '/' ? shown(segment) : urlSegment(segment))),
    ...query.split(/([?&;])/).flatMap(part => (/^[?&;]$/.test(part) ? [shown(part)] : parameterPieces(part))),
    ...(fragment === '' ? [] : [shown('#'), judge(fragment.slice(1), 'value')]),
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
    return [isPlaceholders(user) ? shown(user) : secret(user), shown('@'), ...hostPieces(authority.slice(at + 1))];
  }
  // A password with a slash that was not encoded ends the authority too early.
  return path.includes('@') && authority.includes(':') ? [secret(authority)] : hostPieces(authority);
}

function hostPieces(host: string): Piece[] {
  if (/^\[[0-9a-f:.]*\](?::\d{1,5})?$/i.test(host)) return [shown(host)];
  const [, name = host, port = ''] = /^(.*?)(:\d{0,5})$/s.exec(host) ?? [];
  const labels = name.split(/(\.)/).map(label => (label === '.' || isHostLabel(label) ? shown(label) : secret(label)));
  return [...labels, shown(port)];
}

function isHostLabel(label: string): boolean {
  return isPlainSegment(label) && !label.includes(':');
}

function parameterPieces(parameter: string): Piece[] {
  const at = parameter.indexOf('=');
  const [name, value] = [parameter.slice(0, at), parameter.slice(at + 1)];
  // Without a value it may be base64, whose padding looks like the sign.
  if (at === -1 || value.replaceAll('=', '') === '') return [judge(parameter, 'value')];
  const isHidden = isCredentialName(name) && !isPlaceholders(value);
  return [
    isPlainSegment(name) ? shown(name) : secret(name),
    shown('='),
    isHidden ? secret(value) : judge(value, 'value'),
  ];
}
