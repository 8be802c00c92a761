import { parseDpeUri, parseWindowUri } from '@a2c-smcp/protocol';

/** The hosts under which an MCP server publishes. */
export interface HostUse {
  server: string;
  hosts: Iterable<string>;
}

/** One host under which several MCP servers publish. */
export interface HostClash {
  host: string;
  /** In the order they were given: the first is the one that is read. */
  servers: string[];
}

/** The hosts that several servers use. */
export function findHostClashes(uses: readonly HostUse[]): HostClash[] {
  const users = new Map<string, Set<string>>();
  for (const { server, hosts } of uses) {
    for (const host of hosts) users.set(host, (users.get(host) ?? new Set()).add(server));
  }
  return [...users]
    .filter(([, servers]) => servers.size > 1)
    .map(([host, servers]) => ({ host, servers: [...servers] }));
}

/** The hosts of those URIs that are valid `window://` or `dpe://` URIs. */
export function hostsOf(uris: Iterable<string>): Set<string> {
  const hosts = new Set<string>();
  for (const uri of uris) {
    const host = hostOf(uri);
    if (host !== undefined) hosts.add(host);
  }
  return hosts;
}

/** True if a host is lower-case letters, digits and dots in reverse-domain style, as in `com.example.editor`. */
export function isReverseDomain(host: string): boolean {
  return /^[a-z0-9]+(\.[a-z0-9]+)+$/.test(host);
}

function hostOf(uri: string): string | undefined {
  try {
    return (/^dpe:/i.test(uri) ? parseDpeUri(uri) : parseWindowUri(uri)).host;
  } catch {
    return undefined;
  }
}
