import { ROUTE_QUERY, routeOf, SMCP_NAMESPACE, VERSION_QUERY } from '@a2c-smcp/protocol';

/** The address of a Server, and the query and headers of the first request. */
export interface Address {
  /** As the caller wrote it, for messages. */
  url: string;
  origin: string;
  /** The HTTP path of Socket.IO. */
  path: string;
  query: Record<string, string>;
  /** Differ from attempt to attempt if the caller renews them. */
  headers: Record<string, string>;
  /** Certificates of authorities to trust, in PEM format. */
  ca?: string | undefined;
}

export interface AddressOptions {
  path: string;
  protocolVersion: string;
  office: string;
  ca?: string | undefined;
}

/** Reads the URL of a Server, or several of the same office in the order in which they are tried. */
export function readAddresses(urls: string | readonly string[], options: AddressOptions): [Address, ...Address[]] {
  const [first, ...others] = [urls].flat().map(url => readAddress(url, options));
  if (!first) throw new TypeError('The list of addresses is empty: give the URL of a Server');
  return [first, ...others];
}

/** Reads the URL of a Server. Its own query parameters are kept; `/smcp` at its end is the namespace, so it may stand. */
export function readAddress(url: string, { path, protocolVersion, office, ca }: AddressOptions): Address {
  if (!URL.canParse(url)) throw new TypeError(`'${url}' is no URL: write it like http://127.0.0.1:7000`);
  const { protocol, origin, pathname, searchParams } = new URL(url);
  if (!/^(https?|wss?):$/.test(protocol)) throw new TypeError(`'${url}' is no URL of http, https, ws or wss`);
  if (pathname !== '/' && pathname !== SMCP_NAMESPACE) {
    throw new TypeError(`'${url}' has a path: give the HTTP path of Socket.IO with the option 'path'`);
  }
  const ours = { [VERSION_QUERY]: protocolVersion, [ROUTE_QUERY]: routeOf(office) };
  const query = { ...Object.fromEntries(searchParams), ...ours };
  return { url, origin, path, query, headers: {}, ca };
}
