import type { MCPServerConfig } from '@a2c-smcp/protocol';
import { expect, test } from 'vitest';
import { failedServer, slowServer } from './mcp-advice.ts';

const started = (command: string): MCPServerConfig => ({ name: 's', type: 'stdio', server_parameters: { command } });
const reached: MCPServerConfig = { name: 's', type: 'streamable', server_parameters: { url: 'https://h/mcp' } };

test.each([
  [started('npx'), /^Install it locally/],
  [started('/usr/bin/uvx'), /^Install it locally/],
  [started('node'), /^It takes its time/],
  [started('/opt/my-npx-server'), /^It takes its time/],
  [reached, /^Its machine or the way there is slow/],
])('the remedy for a slow MCP server fits how it starts: %j', (config, remedy) => {
  expect(slowServer(config)).toMatch(remedy);
});

test.each([
  [reached, 'The MCP server refused access (HTTP 401)', /^Give it credentials/],
  [reached, 'HTTP 404: Not Found', /^Check the path of its URL/],
  [reached, 'No connection (SELF_SIGNED_CERT_IN_CHAIN)', /^Its certificate is not trusted/],
  [reached, 'No connection (ECONNREFUSED)', /^Check its URL/],
  [started('x'), 'The process exited with code 1 during the MCP handshake', /^Run its command in a terminal/],
  [started('x'), "servers.s.bundle_id: 's' is the bundle_id of MCP server 't' too", /another 'bundle_id'/],
])('the remedy for a failed MCP server fits its error: %j %j', (config, error, remedy) => {
  expect(failedServer(config, error)).toMatch(remedy);
});
