import type { Resource } from '@a2c-smcp/protocol';
import type { ServerCapabilities } from '@modelcontextprotocol/client';
import type { McpServer } from '../mcp/supervisor/mcp-server.ts';

/** The published resources of an MCP server. */
export interface PublishedByServer {
  capabilities: ServerCapabilities;
  resources: readonly Resource[];
  templates: readonly { uriTemplate: string }[];
}

/** Lists everything, unfiltered and as the server wrote it. Rejects when it is not ready. */
export async function publishedBy(server: McpServer): Promise<PublishedByServer> {
  const session = (await server.ready()) && server.publisher;
  if (!session) throw new Error(`MCP server '${server.name}' is not ready`);
  const { capabilities } = session;
  // Not every server with resources answers the request for templates.
  const templates = await session.resourceTemplates().catch(() => []);
  return { capabilities, resources: await session.resources(), templates };
}
