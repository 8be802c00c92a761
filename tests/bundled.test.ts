import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scriptedProgram } from '@a2c-smcp/testing';
import { build, type Format } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from './packages.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'a2c-bundled-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All roles in one process, with an MCP server that is a process of its own. */
const program = `
import { Agent, textOf } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';
async function main() {
  const stdio = { type: 'stdio', default_tool_meta: { auto_apply: true } };
  const server_parameters = { command: process.execPath, args: [process.argv[2], '{"tools":["echo"]}'] };
  const server = await SmcpServer.listen({ port: 0 });
  const computer = await Computer.open({
    name: 'desk',
    servers: {
      plain: { name: 'plain', ...stdio, server_parameters },
      scripted: { name: 'scripted', ...stdio, vrl: '.a = 1', server_parameters },
      adopting: { name: 'adopting', ...stdio, documents: ['file://*'], server_parameters },
    },
  });
  await computer.join(server.url, { office: 'o' });
  const agent = await Agent.connect(server.url, { name: 'a', office: 'o' });
  await agent.waitFor({ tool: 'echo' }, { timeout: 20000 });
  console.log(textOf(await agent.callTool({ computer: 'desk', tool: 'echo', params: { text: 'hi' } })));
  for (const { name, error } of computer.status()) if (name !== 'plain') console.log(error);
  await agent.close();
  await computer.close();
  await server.close();
}
void main();
`;

const requireInModules =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

async function bundle(format: Format): Promise<string> {
  const outfile = join(folder, `bundle.${format === 'esm' ? 'mjs' : 'cjs'}`);
  await build({
    stdin: { contents: program, resolveDir: root },
    outfile,
    bundle: true,
    format,
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    external: ['@napi-rs/keyring'],
    conditions: ['@a2c-smcp/source'],
    logLevel: 'silent',
    ...(format === 'esm' ? { banner: { js: requireInModules } } : {}),
  });
  return outfile;
}

describe.each(['esm', 'cjs'] as const)('all roles in one bundle (%s)', { timeout: 60_000 }, format => {
  test('work, warn once of the missing guardian, and say what scripts of VRL and adopted documents lack', async () => {
    const { stdout, stderr } = await run(process.execPath, [await bundle(format), scriptedProgram]);
    const [answer, problem, readers] = stdout.trim().split('\n');
    expect(answer).toContain('hi');
    expect(problem).toContain("The file 'wasm/vrl.wasm' of @a2c-smcp/vrl was not found: leave the package external");
    expect(readers).toContain("the readers are not installed: run 'npm install @a2c-smcp/documents'");
    expect(stderr.match(/A2C_NO_GUARDIAN/g)).toHaveLength(1);
    expect(stderr).toContain("its file 'guardian/guardian.sh' is missing; leave the package external when you bundle");
  });
});
