import { networkInterfaces } from 'node:os';

/** Hosts that stand for all addresses of a machine. */
const WILDCARDS = ['0.0.0.0', '::'];
const LOOPBACK = /^(localhost|127\.|\[?::1)/;

export interface Place {
  /** Where this machine reaches the Server. */
  url: string;
  /** The address that it listens on. */
  host: string | undefined;
  /** Names by which clients may address it, the best first. */
  names: readonly string[];
}

/** The URL for other machines: by name, else by the first address of this machine in a network. */
export function reachableUrl({ url, host, names }: Place): string {
  const isWildcard = host !== undefined && WILDCARDS.includes(host);
  const name = names.find(each => !LOOPBACK.test(each)) ?? (isWildcard ? networkAddress() : undefined);
  if (name === undefined) return url;
  const reachable = new URL(url);
  reachable.hostname = name;
  return reachable.origin;
}

/** Lines to paste on the machine that is to join, or in another terminal of this one. */
export function invitationLines(place: Place, key: string): string[] {
  const url = reachableUrl(place);
  const where = url === place.url ? 'In another terminal:' : 'On another machine:';
  const access = `-u ${url} --key ${key}`;
  return [where, `  a2c computer ${access} --config mcp.json`, `  a2c agent tools ${access}`];
}

function networkAddress(): string | undefined {
  const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}
