import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Agent, textOf } from '@a2c-smcp/agent';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import { newClient, textIn, toolNames } from '../bridge/bridged.ts';
import { fixture } from '../computer/office.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { eventually } from '../eventually.ts';
import { startService } from './service.ts';

const { A2C_TEST_EXECUTABLE: executable = '' } = process.env;

/** The programs that the single file needs. */
const TOOLS = ['sh', 'tar', 'gzip', 'tail', 'mktemp', 'mkdir', 'mv', 'rm', 'dirname', 'basename'];

describe.runIf(executable)('the single file on a machine with nothing but file commands', { timeout: 60_000 }, () => {
  test('the demo of the single file shows tools, windows and documents', async () => {
    const env = bareMachine();
    const { stdout, stderr } = await promisify(execFile)(executable, ['demo', '--port', '0'], { env });
    expect(stderr).toBe('');
    expect(stdout).toContain("calculate expression='sqrt(1764)'  →  42");
    expect(stdout).toContain('dpe://local.documents/');
    expect(stdout).toContain('Hello from the tour');
  });

  test('a Computer of the single file offers MCP servers, documents and VRL, and the bridge passes them on', async () => {
    const env = bareMachine();
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'reports'));
    writeFileSync(join(folder, 'reports/first.md'), '# The first report\n');
    const config = join(folder, 'mcp.json');
    const servers = {
      echo: {
        type: 'stdio',
        vrl: '.loud = upcase(string!(.content[0].text))',
        default_tool_meta: { auto_apply: true },
        server_parameters: { command: 'node', args: [fixture] },
      },
      documents: { type: 'stdio', server_parameters: { command: 'a2c-documents', args: [join(folder, 'reports')] } },
    };
    writeFileSync(config, JSON.stringify({ servers }));
    await using server = startService(['server', '--port', '0'], { env });
    const [, url = ''] = await server.line(/Server on (http\S+)/);
    await using computer = startService(['computer', '-u', url, '-o', 'bare', '--config', config, '--service'], {
      env,
    });
    await computer.line(/is in office 'bare'/);

    await using agent = await Agent.connect(url, { name: 'tester', office: 'bare' });
    const found = await agent.waitFor({ tool: 'echo' }, { timeout: 20_000 });
    const result = await agent.callTool({ computer: found.computer, tool: 'echo', params: { text: 'hi' } });
    expect(textOf(result)).toBe('{"text":"hi"}');
    expect(JSON.parse(String(result.meta?.a2c_vrl_transformed))).toMatchObject({ loud: '{"TEXT":"HI"}' });
    await eventually(async () => {
      const { documents } = await agent.getFinder(found.computer);
      expect(documents.map(({ uri }) => uri).join()).toContain('/first.md');
    });
    await agent.close();

    const client = newClient('modern');
    await client.connect(
      new StdioClientTransport({ command: executable, args: ['bridge', '-u', url, '-o', 'bare'], env }),
    );
    expect(await toolNames(client)).toContain('echo');
    expect(textIn(await client.callTool({ name: 'echo', arguments: { text: 'hi' } }))).toBe('{"text":"hi"}');
    await client.close();
    for (const { child, ended } of [computer, server]) {
      child.kill('SIGTERM');
      await ended;
    }
  });
});

/** The environment of a machine that has only the programs above. */
function bareMachine(): Record<string, string> {
  const home = temporaryFolder();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  for (const tool of TOOLS) {
    symlinkSync(execFileSync('which', [tool], { encoding: 'utf8' }).trim(), join(bin, tool));
  }
  return { PATH: bin, HOME: home, XDG_CACHE_HOME: join(home, 'cache') };
}
