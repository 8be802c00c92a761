/** The host of the windows that the configuration of an MCP server defines, as in `local.git`. */
export function adoptedHost(server: string): string {
  return `local.${server.toLowerCase().replace(/[^a-z0-9]/g, '') || 'server'}`;
}
