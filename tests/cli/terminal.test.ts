import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';
import { describe, expect, test } from 'vitest';
import { eventually, scripted } from '../computer/office.ts';
import { publishing } from '../computer/publishing.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { configFile } from './config-file.ts';
import { hasPseudoTerminal, Key, openTerminal } from './pseudo-terminal.ts';
import { openShell, PROMPT } from './shell.ts';

describe.runIf(hasPseudoTerminal)('the shell of a Computer', () => {
  test('the shell completes commands, tools, parameters and files, and has a history', async () => {
    const size = { type: 'string', enum: ['small', 'large'] };
    const properties = { text: { type: 'string' } };
    const tools = [
      { name: 'echo', inputSchema: { type: 'object', properties } },
      { name: 'pick', inputSchema: { type: 'object', properties: { size } } },
    ];
    const meta = { default_tool_meta: { auto_apply: true } };
    await using shell = await openShell(configFile({ tools }, meta));
    const { terminal } = shell;
    terminal.type('stat');
    await terminal.shows('stat');
    terminal.type(Key.tab);
    await terminal.shows('status ');
    terminal.type(Key.enter);
    await terminal.shows(/scripted +ready[\s\S]*a2c> $/);
    const from = terminal.length;
    terminal.type('call ec');
    await terminal.shows('call ec', from);
    terminal.type(Key.tab);
    await terminal.shows('call echo ', from);
    terminal.type(Key.tab);
    await terminal.shows('call echo text=', from);
    terminal.type(`hello${Key.enter}`);
    await terminal.shows(/\{"text":"hello"\}[\s\S]*a2c> $/, from);
    const later = terminal.length;
    terminal.type(Key.up);
    terminal.type(Key.enter);
    await terminal.shows(/\{"text":"hello"\}[\s\S]*a2c> $/, later);
    const values = terminal.length;
    terminal.type('call pick size=l');
    await terminal.shows('size=l', values);
    terminal.type(Key.tab);
    await terminal.shows('size=large ', values);
    terminal.type(Key.ctrlC);
    const files = terminal.length;
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'call.json'), JSON.stringify({ tool_name: 'echo', params: { text: 'from a file' } }));
    terminal.type(`tc @${folder}/ca`);
    await terminal.shows(`${folder}/ca`, files);
    terminal.type(Key.tab);
    await terminal.shows(`${folder}/call.json `, files);
    terminal.type(Key.enter);
    await terminal.shows(/\{"text":"from a file"\}[\s\S]*a2c> $/, files);
    terminal.type(`quit${Key.enter}`);
    expect(await terminal.ended).toBe(0);
  });

  test('desktop and finder explain what is left out', async () => {
    const silent = publishing({ windows: 1, documents: 1, capability: {} }, { name: 'scripted' });
    await using shell = await openShell(configFile({}, silent));
    const { terminal } = shell;
    terminal.type(`desktop${Key.enter}`);
    await terminal.shows(/Windows are left out: [^\n]*resources.subscribe \(MCP server 'scripted'\)/);
    terminal.type(`finder${Key.enter}`);
    await terminal.shows(/Documents are left out: [^\n]*resources.subscribe \(MCP server 'scripted'\)/);
  });

  test('a confirmation answered no refuses the call and restores the typed line', async () => {
    const annotations = { destructiveHint: true };
    await using shell = await openShell(configFile({ tools: [{ name: 'echo', annotations }] }));
    const { terminal, server } = shell;
    await using agent = await Agent.connect(server.url, { name: 'a', office: 'demo' });
    terminal.type('half a comm');
    await terminal.shows('half a comm');
    const call = agent.callTool({ computer: 'desk', tool: 'echo', params: { path: '/etc/passwd' } });
    await terminal.shows(/Tool echo of MCP server scripted, asked by Agent a; its MCP server says it is destructive/);
    await terminal.shows(/\n +path +"\/etc\/passwd"/);
    await terminal.shows('[y]es, [N]o, [a]lways');
    const asked = terminal.length;
    terminal.type(`nope${Key.enter}`);
    await terminal.shows(/y {2}run it once[\s\S]*Run echo of scripted\? .*: $/, asked);
    const from = terminal.length;
    terminal.type(`n${Key.enter}`);
    expect(await call).toMatchObject({ isError: true, meta: { error_code: 4005 } });
    await terminal.shows(`${PROMPT}half a comm`, from);
  });

  test('a confirmation answered always runs the tool, is written into the configuration and not asked again', async () => {
    const config = configFile();
    await using shell = await openShell(config);
    const { terminal, server } = shell;
    await using agent = await Agent.connect(server.url, { name: 'a', office: 'demo' });
    const first = agent.callTool({ computer: 'desk', tool: 'echo', params: { n: 1 } });
    await terminal.shows('Run echo of scripted?');
    terminal.type(`a${Key.enter}`);
    expect((await first).isError).toBeFalsy();
    const text = readFileSync(config, 'utf8');
    expect(text).toMatch(/^\/\/ what this machine offers/);
    expect(JSON.parse(text.replace(/^.*\n/, '')).servers.scripted.tool_meta).toEqual({ echo: { auto_apply: true } });
    await eventually(async () => {
      const second = await agent.callTool({ computer: 'desk', tool: 'echo' }, { timeout: 1000 });
      expect(second.isError).toBeFalsy();
    });
  });

  test('Ctrl-C in the shell cancels a running call, and ends the shell at the prompt', async () => {
    await using shell = await openShell(configFile({ tools: ['hang'] }, { default_tool_meta: { auto_apply: true } }));
    const { terminal } = shell;
    terminal.type(`call hang${Key.enter}`);
    await terminal.shows('hang … 1 s');
    const from = terminal.length;
    terminal.type(Key.ctrlC);
    await terminal.shows(PROMPT, from);
    const later = terminal.length;
    terminal.type(`history${Key.enter}`);
    await terminal.shows(/cancelled +\d+\.\d s +\(here\) +scripted +hang/, later);
    terminal.type(Key.ctrlC);
    expect(await terminal.ended).toBe(0);
  });

  test('logs -f in the shell shows what an MCP server writes until Ctrl-C', async () => {
    const say = configFile({ say: 'started', tools: ['say', 'send'] }, { default_tool_meta: { auto_apply: true } });
    await using shell = await openShell(say);
    const { terminal } = shell;
    await using agent = await Agent.connect(shell.server.url, { name: 'a', office: 'demo' });
    terminal.type(`logs scripted -f${Key.enter}`);
    await terminal.shows(/stderr +started/);
    await agent.callTool({ computer: 'desk', tool: 'say', params: { text: 'a line' } });
    await terminal.shows(/stderr +a line/);
    const message = { level: 'notice', logger: 'disk', data: 'first\n\u001b]0;evil\u0007second' };
    const messages = [{ method: 'notifications/message', params: message }];
    await agent.callTool({ computer: 'desk', tool: 'send', params: { messages } });
    await terminal.shows(/notice +disk: first\r?\n {10}\]0;evilsecond/);
    const warning = (data: string) => [{ method: 'notifications/message', params: { level: 'warning', data } }];
    await agent.callTool({ computer: 'desk', tool: 'send', params: { messages: warning('disk is full') } });
    await terminal.shows(/warning +disk is full/);
    const from = terminal.length;
    terminal.type(Key.ctrlC);
    await terminal.shows(PROMPT, from);
    await agent.callTool({ computer: 'desk', tool: 'send', params: { messages: warning('disk is empty') } });
    await terminal.shows(/warn +MCP server log .*disk is empty/, from);
    expect(terminal.screen.match(/disk is full/g)).toHaveLength(1);
    const later = terminal.length;
    terminal.type(`logs scripted${Key.enter}`);
    await terminal.shows(/started[\s\S]*a line[\s\S]*second[\s\S]*a2c> $/, later);
    terminal.type(`logs --all${Key.enter}`);
    await terminal.shows("Unknown option '--all': logs NAME [-f]", later);
  });

  test('the shell can be used while the Computer waits for its Server', async () => {
    const former = await SmcpServer.listen({ port: 0 });
    const { url } = former;
    await former.close();
    const words = ['computer', '--url', url, '--name', 'desk', '--config', configFile(), '--input', 'token=t0ken'];
    const terminal = openTerminal(words, {});
    await using _ = terminal;
    await terminal.shows(/No Server answers at [\s\S]*a2c> $/);
    terminal.type(`status${Key.enter}`);
    await terminal.shows(`Computer desk waiting for a Server at ${url}`);
    await using _server = await SmcpServer.listen({ port: Number(new URL(url).port), gracePeriod: 0 });
    await terminal.shows("Computer 'desk' is in office 'demo'");
    terminal.type(`status${Key.enter}`);
    await terminal.shows("Computer desk in office 'demo'");
    terminal.type(`quit${Key.enter}`);
    expect(await terminal.ended).toBe(0);
  });

  test('another Server can be named while the Computer waits', async () => {
    await using server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
    const terminal = openTerminal(['computer', '--url', 'http://127.0.0.1:1', '--name', 'desk'], {});
    await using _ = terminal;
    await terminal.shows(/No Server answers at [\s\S]*a2c> $/);
    terminal.type(`socket connect ${server.url} demo${Key.enter}`);
    await terminal.shows(`In office 'demo' of ${server.url}`);
    terminal.type(`quit${Key.enter}`);
    expect(await terminal.ended).toBe(0);
  });

  test('the shell explains a wrong command and continues', async () => {
    await using shell = await openShell();
    const { terminal } = shell;
    terminal.type(`sttaus${Key.enter}`);
    await terminal.shows("Unknown command 'sttaus': did you mean 'status'?");
    terminal.type(`server add {"name": "x"}${Key.enter}`);
    await terminal.shows('servers.x');
    terminal.type(`inputs value list${Key.enter}`);
    await terminal.shows(/token +--input +\(hidden\)/);
    expect(terminal.screen).not.toContain('t0ken');
    terminal.type(Key.ctrlD);
    expect(await terminal.ended).toBe(0);
  });
});

describe.runIf(hasPseudoTerminal)('questions of a2c computer', () => {
  test('an input that is a password is asked for and never shown', async () => {
    await using server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
    const config = configFile({ tools: ['env'] }, { default_tool_meta: { auto_apply: true } });
    const terminal = openTerminal(['computer', '--url', server.url, '--name', 'desk', '--config', config]);
    await using _ = terminal;
    await terminal.shows('? The token [Enter for the default]: ');
    terminal.type(`pa55word${Key.enter}`);
    await terminal.shows(PROMPT);
    await using agent = await Agent.connect(server.url, { name: 'a', office: 'demo' });
    const result = await agent.callTool({ computer: 'desk', tool: 'env' });
    expect(result.content[0]?.text).toContain('pa55word');
    terminal.type(Key.up);
    terminal.type(`${Key.enter}inputs value get token${Key.enter}`);
    await terminal.shows('(hidden) (store)');
    expect(terminal.screen).not.toContain('pa55word');
  });

  test('a choice is asked for by its labels, and its value is inserted', async () => {
    await using server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
    const options = [
      { label: 'Europe', value: 'eu-1' },
      { label: 'America', value: 'us-1' },
    ];
    const token = { id: 'token', type: 'pickString', description: 'The region', options, default: 'eu-1' };
    const config = configFile({ tools: ['env'] }, { default_tool_meta: { auto_apply: true } }, [token]);
    const terminal = openTerminal(['computer', '--url', server.url, '--name', 'desk', '--config', config]);
    await using _ = terminal;
    await terminal.shows(/1 +Europe[\s\S]*2 +America[\s\S]*\? The region \(number or text\) \[Europe\]: /);
    terminal.type(`3${Key.enter}`);
    await terminal.shows(/That is none of them\n[\s\S]*\? The region/);
    terminal.type(`America${Key.enter}`);
    await terminal.shows(PROMPT);
    const from = terminal.length;
    terminal.type(`call env${Key.enter}`);
    await terminal.shows(/"TOKEN":"us-1"[\s\S]*a2c> $/, from);
    terminal.type(`inputs value set token Asia${Key.enter}`);
    await terminal.shows("'Asia' is none of Europe, America");
    terminal.type(`inputs value set token Europe${Key.enter}`);
    await terminal.shows("'token' has a value");
    terminal.type(`inputs value get token${Key.enter}`);
    await terminal.shows('eu-1 (store)');
  });
});

describe.runIf(hasPseudoTerminal)('a2c agent call in a terminal', () => {
  test('a2c agent call shows the elapsed time, and Ctrl-C cancels the call', async () => {
    await using server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
    await using computer = await Computer.open({
      name: 'desk',
      servers: { s: scripted({ tools: ['hang'] }, { name: 's' }) },
    });
    await computer.join(server.url, { office: 'demo' });
    const terminal = openTerminal(['agent', 'call', 'hang', '--url', server.url]);
    await using _ = terminal;
    await terminal.shows('hang on desk … 1 s');
    terminal.type(Key.ctrlC);
    expect(await terminal.ended).toBe(130);
    await expect.poll(() => computer.history.at(-1)).toMatchObject({ tool: 'hang', success: false });
  });
});

describe.runIf(hasPseudoTerminal)('a2c demo in a terminal', () => {
  test('a2c demo stays open after the tour, shows the next steps, and Ctrl-C ends it', async () => {
    const terminal = openTerminal(['demo', '--port', '0']);
    await using _ = terminal;
    await terminal.shows('Ctrl-C ends the demo.');
    const [, command = ''] = /^ +a2c (agent tools -u \S+)/m.exec(terminal.screen) ?? [];
    const other = openTerminal(command.split(' '));
    expect(await other.ended).toBe(0);
    expect(other.screen).toMatch(/calculate expression/);
    terminal.type(Key.ctrlC);
    expect(await terminal.ended).toBe(0);
  });
});
