export { McpConnection } from './mcp/connection.ts';
