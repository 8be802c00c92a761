import type { ResourceSession } from '../mcp/session/session.ts';

/** The host of the windows and documents that the configuration of an MCP server defines, as in `local.git`. */
export function adoptedHost(server: string): string {
  return `local.${server.toLowerCase().replace(/[^a-z0-9]/g, '') || 'server'}`;
}

export interface Publisher {
  server: string;
  /** The scheme under which its resources are adopted. */
  scheme: 'window' | 'dpe';
  /** True if its configuration shows windows and documents that are not announced. */
  showsAll: boolean;
  session: ResourceSession;
}

/**
 * True if a resource of a server is shown beside those that are adopted of it. Windows and documents of a server that does
 * not announce updates stay hidden, and none takes the place of an adopted one.
 */
export function isShownBeside({ server, scheme, showsAll, session }: Publisher, uri: string): boolean {
  if (uri.startsWith(`${scheme}://${adoptedHost(server)}/`)) return false;
  return showsAll || session.capabilities.resources?.subscribe === true || !/^(window|dpe):/i.test(uri);
}
