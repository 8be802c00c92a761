import { createHash, timingSafeEqual } from 'node:crypto';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import type { Authenticate, AuthRequest, Identity } from './identity.ts';

export interface ApiKeyOptions {
  /**
   * The header, or the field of the `auth` object, that carries the key; of several, the first that is there counts.
   * @default ['x-api-key', 'token'], where the official SDKs put it: in a header before 0.2, in `auth` since
   */
  name?: string | readonly string[];
}

const CUSTOMARY = ['x-api-key', 'token'];

/**
 * Admits clients that send one of these keys. A map says what each key may do: its values are identities, its keys the
 * secrets.
 */
export function apiKeys(
  keys: string | readonly string[] | ReadonlyMap<string, Identity>,
  { name = CUSTOMARY }: ApiKeyOptions = {},
): Authenticate {
  const known = identities(keys).map(([key, identity]) => ({ digest: digest(key), identity }));
  const names = [name].flat();
  return request => {
    const found = names.find(place => credential(request, place) !== undefined);
    const key = found === undefined ? undefined : credential(request, found);
    if (key === undefined) throw new SmcpError(ErrorCode.Unauthorized, `Send your key in the header '${names[0]}'`);
    const given = digest(key);
    // Every key is compared, in constant time, so that timing reveals nothing about any of them.
    const matches = known.filter(candidate => timingSafeEqual(candidate.digest, given));
    if (!matches[0]) throw new SmcpError(ErrorCode.Unauthorized, `The key in '${found}' is not valid`);
    return matches[0].identity;
  };
}

/** A credential from a header or, since browsers cannot set headers on a WebSocket, from the `auth` object. */
export function credential({ headers, auth }: AuthRequest, name: string): string | undefined {
  const value = headers[name.toLowerCase()] ?? auth[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function identities(keys: string | readonly string[] | ReadonlyMap<string, Identity>): [string, Identity][] {
  const list: [string, Identity][] =
    keys instanceof Map ? [...keys] : [keys].flat().map((key, index) => [key as string, { id: `key-${index + 1}` }]);
  if (list.length === 0 || list.some(([key]) => key === '')) throw new TypeError('An API key must not be empty');
  return list;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
