import { Computer } from '@a2c-smcp/computer';
import type { MCPServerConfig } from '@a2c-smcp/protocol';

// A Computer with a sound MCP server and, one after the other, those that its parent process names. Arguments: the URL of the
// Server, the file of the sound MCP server.

const [, , url = '', soundFile = ''] = process.argv;
const auto_apply = { auto_apply: true };
const computer = await Computer.open({
  name: 'desk',
  servers: {
    sound: {
      name: 'sound',
      type: 'stdio',
      server_parameters: { command: process.execPath, args: [soundFile] },
      default_tool_meta: auto_apply,
    },
  },
  startTimeout: 5000,
  requestTimeout: 3000,
  patience: 5000,
});
await computer.join(url, { office: 'fuzz' });

process.on('message', async (config: MCPServerConfig | null) => {
  await computer.removeServer('fuzzed').catch(() => {});
  if (config) await computer.addServer(config).catch(() => {});
  process.send?.(computer.status().find(({ name }) => name === 'fuzzed')?.state ?? 'none');
});
process.on('disconnect', () => void computer.close().then(() => process.exit()));
process.send?.('ready');
