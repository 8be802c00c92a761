export { Bridge, type BridgeConnection } from './bridge.ts';
export { type BridgeFilter, type BridgeOptions, PREFIXES, type Prefix } from './options.ts';
export type { BridgeHttpServer, HttpOptions } from './serve/http.ts';
export { mcpServer } from './serve/mcp-server.ts';
export type { StdioConnection, StdioOptions } from './serve/stdio.ts';
export { MAX_TOOL_NAME_LENGTH } from './tools/tool-names.ts';
