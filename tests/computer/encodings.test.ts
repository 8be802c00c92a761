import { expect } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { openOffice, stateOf, textOf } from './office.ts';

/** An MCP server whose tool answers the bytes of its first argument, in hexadecimal. */
const program = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
    const { id, method, params } = JSON.parse(line);
    const results = {
      initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
      'tools/list': { tools: [{ name: 'word', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: '@' }] },
    };
    if (id === undefined) return;
    const [head, tail] = JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }).split('@');
    const bytes = tail === undefined ? [] : [Buffer.from(process.argv[1], 'hex'), Buffer.from(tail)];
    process.stdout.write(Buffer.concat([Buffer.from(head), ...bytes, Buffer.from('\\n')]));
  });
`;

verifies('config.encoding', async () => {
  const servers = [
    ['latin-1', 'e9', 'é'],
    ['utf_8', 'c3a9', 'é'],
    ['cp936', 'd6d0', '中'],
    ['shift_jis', '8abf', '漢'],
    ['nonsense', '', ''],
  ].map(([encoding = '', bytes = '', word]) => {
    const server_parameters = { command: process.execPath, args: ['-e', program, bytes], encoding };
    const tool_meta = { word: { auto_apply: true, alias: encoding } };
    return { word, config: { name: encoding, type: 'stdio', tool_meta, server_parameters } as const };
  });
  await using office = await openOffice({
    servers: Object.fromEntries(servers.map(({ config }) => [config.name, config])),
  });
  for (const { config, word } of servers.slice(0, -1)) expect(textOf(await office.callTool(config.name))).toBe(word);
  expect(stateOf(office.computer, 'nonsense')).toBe('failed');
  expect(office.computer.status().at(-1)?.error).toContain("'nonsense' is no known encoding");
});
