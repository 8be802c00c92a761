import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixture } from '../computer/office.ts';
import { temporaryFolder } from '../computer/temporary.ts';

const TOKEN = { id: 'token', type: 'promptString', description: 'The token', password: true, default: 'none' };

/** A configuration file with one scripted MCP server whose environment has an input. */
export function configFile(
  script: object = { tools: ['env', 'echo'] },
  server: object = {},
  inputs: object[] = [TOKEN],
): string {
  const path = join(temporaryFolder(), 'mcp.json');
  const server_parameters = {
    command: process.execPath,
    args: [fixture, JSON.stringify(script)],
    env: { TOKEN: '${input:token}' },
  };
  const servers = { scripted: { type: 'stdio', server_parameters, ...server } };
  writeFileSync(path, `// what this machine offers\n${JSON.stringify({ inputs, servers }, null, 2)}\n`);
  return path;
}
