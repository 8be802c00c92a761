import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from '@a2c-smcp/agent';
import { describe, expect, test } from 'vitest';
import { textOf } from '../computer/office.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { root } from '../packages.ts';
import { a2c } from './a2c.ts';
import { configFile } from './config-file.ts';
import { hasPseudoTerminal, Key } from './pseudo-terminal.ts';
import { openShell, PROMPT } from './shell.ts';

const everything = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

/** The start of each question for a field of its form. */
const FIELDS = [
  ...['String: ', 'Boolean (', 'String with default (', 'String with email format (', 'String with uri format ('],
  ...['String with date format (', 'Integer (', 'Number in range 1-1000 (', 'Untitled Single Select Enum ('],
  ...['Untitled Multiple Select Enum (', 'Titled Single Select Enum (', 'Titled Multiple Select Enum ('],
  'Legacy Titled Single Select Enum (',
];

/** A configuration with the reference server of MCP, whose tools run unasked. */
function everythingFile(): string {
  const path = join(temporaryFolder(), 'mcp.json');
  const server_parameters = { command: process.execPath, args: [everything] };
  const servers = { every: { type: 'stdio', default_tool_meta: { auto_apply: true }, server_parameters } };
  writeFileSync(path, JSON.stringify({ servers }));
  return path;
}

describe.runIf(hasPseudoTerminal)('questions at the terminal', () => {
  test('an MCP server asks by elicitation, and gets what the person entered', async () => {
    await using shell = await openShell(everythingFile());
    const { terminal, server } = shell;
    await using agent = await Agent.connect(server.url, { name: 'assistant', office: 'demo' });
    const call = agent.callTool({ computer: 'desk', tool: 'trigger-elicitation-request' });
    await terminal.shows('MCP server every asks, for tool trigger-elicitation-request of Agent assistant:');
    await terminal.shows(/Fill in \d+ fields for it\?/);
    terminal.type(`y${Key.enter}`);
    let from = 0;
    for (const field of FIELDS) {
      await terminal.shows(field, from);
      from = terminal.length;
      // All others have a default or may be left out.
      terminal.type(field === FIELDS[0] ? `Ada${Key.enter}` : Key.enter);
    }
    await terminal.shows('Send this to MCP server every?', from);
    expect(terminal.screen.slice(terminal.screen.indexOf('fields for it?'))).not.toContain(PROMPT);
    terminal.type(Key.enter);
    expect(textOf(await call)).toContain('Ada');
    await terminal.shows(/Send this[\s\S]*a2c> $/, from);
  });

  test('a form that the person does not want is declined', async () => {
    await using shell = await openShell(everythingFile());
    const { terminal, server } = shell;
    await using agent = await Agent.connect(server.url, { name: 'assistant', office: 'demo' });
    const call = agent.callTool({ computer: 'desk', tool: 'trigger-elicitation-request' });
    await terminal.shows(/Fill in \d+ fields for it\?/);
    terminal.type(`n${Key.enter}`);
    expect(textOf(await call)).toContain('decline');
  });

  test('a person refuses with a reason, edits parameters, and allows a tool for the session', async () => {
    await using shell = await openShell(configFile({ tools: ['echo'] }));
    const { terminal, server } = shell;
    await using agent = await Agent.connect(server.url, { name: 'assistant', office: 'demo' });
    const echo = (text: string) => agent.callTool({ computer: 'desk', tool: 'echo', params: { text } });
    let call = echo('one');
    await terminal.shows('Run echo of scripted?');
    terminal.type(`r${Key.enter}`);
    await terminal.shows('Reason for the Agent: ');
    terminal.type(`not on Mondays${Key.enter}`);
    expect(textOf(await call)).toBe("Tool 'echo' was refused by the owner: not on Mondays");

    let from = terminal.length;
    call = echo('two');
    await terminal.shows('Run echo of scripted?', from);
    terminal.type(`e${Key.enter}`);
    await terminal.shows('New parameters, as a JSON object: ', from);
    terminal.type(`{"text": "safe"}${Key.enter}`);
    expect((await call).content[0]).toMatchObject({ text: '{"text":"safe"}' });

    from = terminal.length;
    call = echo('three');
    await terminal.shows('Run echo of scripted?', from);
    terminal.type(`s${Key.enter}`);
    await call;
    expect((await echo('four')).isError).toBeFalsy();
  });

  test('calls are recorded, and a2c audit shows and verifies them', async () => {
    const [home, audit] = [temporaryFolder(), join(temporaryFolder(), 'calls.jsonl')];
    {
      await using shell = await openShell(configFile({ tools: ['echo'] }), { env: { HOME: home, A2C_AUDIT: audit } });
      await using agent = await Agent.connect(shell.server.url, { name: 'assistant', office: 'demo' });
      const call = agent.callTool({ computer: 'desk', tool: 'echo', params: { text: 'hello' } });
      await shell.terminal.shows('Run echo of scripted?');
      shell.terminal.type(`y${Key.enter}`);
      await call;
      shell.terminal.type(`quit${Key.enter}`);
      expect(await shell.terminal.ended).toBe(0);
    }
    const { out } = await a2c(['audit', '--file', audit]);
    expect(out).toMatch(/assistant +scripted\/echo +ok +terminal +[\d.]+ +\{"text":"hello"\}/);
    expect((await a2c(['audit', '--file', audit, '--outcome', 'refused'])).err).toContain('No such call');
    expect((await a2c(['audit', 'verify', '--file', audit])).out).toContain('1 calls');
    writeFileSync(audit, '{"seq":1}\n');
    expect(await a2c(['audit', 'verify', '--file', audit])).toMatchObject({ code: 1 });
  });
});

describe('commands of the owner', () => {
  const withPolicy = (policy: object[]) => {
    const path = join(temporaryFolder(), 'mcp.json');
    const server_parameters = { command: process.execPath, args: [everything] };
    writeFileSync(path, JSON.stringify({ policy, servers: { every: { type: 'stdio', server_parameters } } }));
    return path;
  };

  test('a2c computer policy test says which rule decides and why', async () => {
    const config = withPolicy([
      { decision: 'deny', tool: 'get-env', reason: 'The environment is private' },
      { decision: 'allow', agent: 'assistant', when: 'string!(.params.message) == "hi"' },
    ]);
    const decide = async (...words: string[]) => {
      const { out } = await a2c(['computer', 'policy', 'test', ...words, '--config', config, '--pins', 'off']);
      return out;
    };
    expect(await decide('get-env')).toMatch(/^deny {2}The environment is private \(rule 1/);
    expect(await decide('echo', 'message=hi', '--agent', 'assistant')).toMatch(/^allow {2}rule 2/);
    expect(await decide('echo', 'message=ho', '--agent', 'assistant')).toMatch(/^ask {2}no rule of the policy matches/);
    expect(await decide('echo', 'message=hi')).toMatch(/^ask/);
  });

  test('a2c computer pins lists, accepts and forgets definitions', async () => {
    const [pins, folder] = [join(temporaryFolder(), 'pins.json'), temporaryFolder()];
    const describe = (description: string) => {
      const path = join(folder, 'mcp.json');
      const script = JSON.stringify({ tools: [{ name: 'echo', description }] });
      const program = join(root, 'packages/testing/servers/scripted.mjs');
      const server_parameters = { command: process.execPath, args: [program, script] };
      const server = { type: 'stdio', default_tool_meta: { auto_apply: true }, server_parameters };
      writeFileSync(path, JSON.stringify({ servers: { s: server } }));
      return path;
    };
    const { Computer } = await import('@a2c-smcp/computer');
    const run = async () => {
      await using computer = await Computer.open({ name: 'd', configFile: describe('one'), pins: { file: pins } });
      return await computer.callTool({ tool: 'echo' });
    };
    expect((await run()).isError).toBeFalsy();
    const config = describe('two');
    const command = (...words: string[]) => a2c(['computer', 'pins', ...words, '--config', config, '--pins', pins]);
    expect((await command()).out).toMatch(/s +echo +\S+ \S+ +changed/);
    expect((await command('accept', 's', 'echo')).err).toBe('Accepted one definition');
    expect((await command('list')).out).toMatch(/s +echo +\S+ \S+ +same/);
    expect((await command('forget')).err).toBe('Forgot one definition');
    expect((await command()).err).toContain('none is pinned');
  });
});
