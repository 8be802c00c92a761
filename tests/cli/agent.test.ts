import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { Agent } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { silentLogger } from '@a2c-smcp/core';
import type { CallToolResult, MCPServerConfig, SessionInfo, SMCPTool } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DemoOffice, openDemoOffice } from '../../packages/cli/src/commands/demo/office.ts';
import { ScriptedComputer, text } from '../agent/scripted-computer.ts';
import { eventually, openComputer } from '../computer/office.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { documentsCommand } from '../documents/client.ts';
import { png } from '../documents/image-files.ts';
import { root } from '../packages.ts';
import { a2c, startA2c } from './a2c.ts';

let office: DemoOffice;
beforeAll(async () => {
  office = await openDemoOffice({ port: 0, logger: silentLogger });
}, 120_000);
afterAll(() => office[Symbol.asyncDispose]());

const everything: MCPServerConfig = {
  name: 'everything',
  type: 'stdio',
  default_tool_meta: { auto_apply: true },
  server_parameters: {
    command: process.execPath,
    args: [join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')],
  },
};

const agent = (...words: string[]) => a2c(['agent', ...words, '--url', office.server.url]);

describe('a2c agent shows', () => {
  test('a2c agent members prints a table, or JSON with --json', async () => {
    const people = await agent('members', '--name', 'me');
    expect(people.code).toBe(0);
    expect(people.out).toMatch(/^ROLE +NAME +PROTOCOL +SESSION\nagent +me +0\.5\.0 .*\ncomputer +demo +0\.5\.0/);
    const members = (await agent('members', '--json')).json<SessionInfo[]>();
    expect(members.map(({ role }) => role).toSorted()).toEqual(['agent', 'computer']);
  });

  test('a2c agent tools shows the parameters of each tool', async () => {
    const { out, err } = await agent('tools');
    expect(out).toMatch(/^demo \/ workbench {2}6 tools, about \d+ tokens\n {2}time timezone\?\n/);
    expect(out).toMatch(/\n {2}calculate expression\n {6}The value of an arithmetic expression/);
    expect(out).toMatch(/\n\ndemo \/ documents {2}1 tool, /);
    expect(err).toMatch(/^7 tools, about \d+ tokens for a model/);
    const [list] = (await agent('tools', '--json')).json<{ computer: string; tools: SMCPTool[] }[]>();
    expect(list?.tools.map(({ name }) => name)).toContain('read_file');
  });

  test('a2c agent tools WORD… lists the tools that mention all words, or says that none does', async () => {
    const { out } = await agent('tools', 'FILE', 'demo');
    expect(out).toMatch(/list_files\n/);
    expect(out).toMatch(/read_file path\n/);
    expect(out).not.toContain('calculate');
    expect((await agent('tools', 'nonsense', 'file')).out).toBe("None of 7 tools mentions 'nonsense' and 'file'");
  });

  test('a2c agent tools says that there are none', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using computer = await openComputer({});
    await computer.join(server.url, { office: 'demo' });
    const { code, out } = await a2c(['agent', 'tools', '--url', server.url]);
    expect(code).toBe(0);
    expect(out).toContain("No tools: the MCP servers of 'desk' offer none");
  });

  test('a2c agent tool shows the parameters of one tool, and an example that can be called as it is', async () => {
    const { out } = await agent('tool', 'wait');
    expect(out).toMatch(/^wait\ndemo \/ workbench · .*runs without confirmation · about \d+ tokens\n\nDoes nothing/);
    expect(out).toMatch(/Parameters\n {2}seconds {2}number/);
    const [, words = ''] = /a2c (agent call .*)/.exec((await agent('tool', 'list_files')).out) ?? [];
    expect(await a2c([...words.split(' '), '--url', office.server.url])).toMatchObject({ code: 0 });
    const { name, params_schema } = (await agent('tool', 'wait', '--json')).json<SMCPTool>();
    expect({ name, params_schema }).toMatchObject({ name: 'wait', params_schema: { type: 'object' } });
    expect((await agent('tool', 'wiat')).err).toContain("did you mean 'wait'?");
  });

  test('a2c agent config shows the MCP servers and inputs of a Computer', async () => {
    const { code, out } = await agent('config');
    expect(code).toBe(0);
    expect(out).toMatch(/^MCP SERVER +TYPE +COMMAND\nworkbench +stdio +/);
    expect((await agent('config', 'demo', '--json')).json()).toMatchObject({
      servers: { documents: { type: 'stdio' } },
    });
    expect((await agent('config', 'nowhere')).err).toContain("'nowhere'");
  });

  test('a2c agent resources lists the resources of all MCP servers, or of one, page by page', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const bare = { ...everything, name: 'bare', disabled: true };
    await using computer = await Computer.open({ name: 'desk', servers: { everything, bare } });
    await computer.join(server.url, { office: 'demo' });
    const list = (...words: string[]) => a2c(['agent', 'resources', ...words, '--url', server.url]);
    const { code, out } = await list();
    expect(code).toBe(0);
    expect(out).toMatch(/^everything {2}\d+\nURI +TYPE +NAME\ndemo:\/\/resource\/static\/\S+ +text\/\S+ +\S+/);
    const cut = await list('desk', '--limit', '2');
    expect(cut.out).toMatch(/^everything {2}the first 2\n/);
    expect(cut.err).toContain('--limit N');
    const [listed] = (await list('--server', 'everything', '--json')).json<{ resources: object[] }[]>();
    expect(listed?.resources.length).toBeGreaterThan(2);
    expect((await list('--server', 'nothing')).code).toBe(1);
    expect((await agent('resources', '--server', 'workbench')).out).toContain('window://local.workbench/status');
  });

  test('a2c agent desktop shows windows in frames', async () => {
    const { out } = await agent('desktop');
    expect(out).toMatch(/╭─ window:\/\/local.workbench\/status ─+╮\n│ host /);
    const windows = (await agent('desktop', '--size', '1', '--json')).json<string[]>();
    expect(windows).toHaveLength(1);
  });

  test('a2c agent finder finds documents, and a2c agent read reads a document, a page and a window', async () => {
    const { out } = await agent('finder', 'sales');
    expect(out).toMatch(/xlsx +Coffee sales 2026 .*dpe:\/\/local.documents\/sales\.xlsx/);
    const document = await agent('read', 'dpe://local.documents/sales.xlsx');
    expect(document.out).toMatch(/type +xlsx/);
    expect(document.out).toContain('dpe://local.documents/sales.xlsx/pages/0');
    const page = await agent('read', 'dpe://local.documents/sales.xlsx/pages/0');
    expect(page.out).toContain('| Harbour |');
    expect((await agent('read', 'window://local.workbench/status')).out).toMatch(/^host /);
  });

  test('a2c agent finder --content shows pages of all Computers with passages, and what was not searched', async () => {
    await using attic = await ScriptedComputer.join(office.server.url, { name: 'attic' });
    await eventually(async () => {
      const { out } = await agent('finder', '--content', 'espresso', '--json', '-c', 'demo');
      expect(JSON.parse(out)).toMatchObject({ pending: 0, unsearched: [] });
    });
    const { out, err } = await agent('finder', '--content', 'espresso', '--limit', '1');
    expect(out).toMatch(
      /^.+, page \d+.* on demo [\d.]+\n {2}.*espresso.*\n {2}dpe:\/\/local\.documents\/.+\/pages\/\d+$/i,
    );
    expect(err).toContain('attic: It cannot search inside documents');
    await attic.close();
    expect((await agent('finder', '--content', 'espresso', '--type', 'none')).out).toBe('No page mentions these words');
    expect((await agent('finder', '--content', 'x', '--offset', '1')).code).toBe(2);
  });

  test('a2c agent read reports a missing document in one line', async () => {
    const { code, err } = await agent('read', 'dpe://local.documents/nothing.pdf');
    expect(code).toBe(1);
    expect(err.split('\n')).toHaveLength(1);
    expect(err).toContain('nothing.pdf');
  });
});

describe('a2c agent call', () => {
  test('a2c agent call reads key=value words by the schema of the tool', async () => {
    expect(await agent('call', 'calculate', 'expression=2 * 21')).toMatchObject({ code: 0, out: '42' });
    expect(await agent('call', 'wait', 'seconds=0')).toMatchObject({ code: 0, out: 'Waited 0 s' });
    expect((await agent('call', 'wait', 'seconds=soon')).err).toContain("seconds: 'soon' is not a number");
  });

  test('a2c agent call takes JSON, and words win over it', async () => {
    const { out } = await agent('call', 'time', '--params', '{"timezone": "UTC"}', 'timezone=Asia/Tokyo');
    expect(out).toContain('GMT+9');
    const result = (await agent('call', 'time', '--params', '{}', '--json')).json<CallToolResult>();
    expect(result.content[0]?.type).toBe('text');
  });

  test('a2c agent call takes parameters from files and from standard input', async () => {
    const folder = temporaryFolder();
    const [params, note] = [join(folder, 'params.json'), join(folder, 'note.txt')];
    writeFileSync(params, '{"expression": "6 * 7"}');
    writeFileSync(note, '40 + 2');
    expect(await agent('call', 'calculate', '-p', `@${params}`)).toMatchObject({ code: 0, out: '42' });
    expect(await agent('call', 'calculate', `expression=@${note}`)).toMatchObject({ code: 0, out: '42' });
    const piped = (...words: string[]) => {
      const streams = { input: Readable.from([Buffer.from('{"expression": '), Buffer.from('"1 + 1"}')]), output };
      return a2c(['agent', 'call', 'calculate', ...words, '--url', office.server.url], { streams });
    };
    const output = new PassThrough();
    expect(await piped('-p', '-')).toMatchObject({ code: 0, out: '2' });
    expect((await piped('expression=@-')).err).toContain("found '{'");
    const { code, err } = await agent('call', 'calculate', '-p', '@nowhere.json');
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("There is no file 'nowhere.json'") });
  });

  test('a2c agent call exits with 1 and prints the message when the tool fails', async () => {
    const { code, out, err } = await agent('call', 'read_file', 'path=../secret');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain("There is no file '../secret'");
  });

  test('a2c agent call suggests the right name for a misspelled tool or parameter', async () => {
    expect(await agent('call', 'calcualte')).toMatchObject({ code: 2, err: expect.stringContaining("'calculate'?") });
    const { err } = await agent('call', 'calculate', 'expresion=1');
    expect(err).toContain("did you mean 'expression'?");
  });

  test('Ctrl-C in a2c agent call cancels the call on the Computer too', async () => {
    const call = startA2c(['agent', 'call', 'wait', 'seconds=60', '--url', office.server.url]);
    await expect.poll(() => office.server.health().inFlight, { timeout: 10_000 }).toBe(1);
    expect(await call.stop()).toMatchObject({ code: 130 });
    await expect.poll(() => office.computer.history.at(-1)).toMatchObject({ tool: 'wait', success: false });
  });

  test('a2c agent call --save writes images into files', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using computer = await Computer.open({ name: 'desk', servers: { everything } });
    await computer.join(server.url, { office: 'demo' });
    const folder = temporaryFolder();
    const { code, out } = await a2c(['agent', 'call', 'get-tiny-image', '--url', server.url, '--save', folder]);
    expect(code).toBe(0);
    const path = join(folder, 'image-1.png');
    expect(out).toMatch(/\[image image\/png, \d+ KiB: saved as .*image-1\.png\]/);
    expect(readFileSync(path).subarray(1, 4).toString()).toBe('PNG');
    const read = ['agent', 'read', 'demo://resource/dynamic/blob/7', '--url', server.url];
    expect((await a2c(read)).out).toMatch(/^\[resource text\/plain, \d+ bytes: --save DIR writes it to a file\]$/);
    expect((await a2c([...read, '--save', folder])).out).toContain(`saved as ${join(folder, '7.txt')}`);
    expect(readFileSync(join(folder, '7.txt'), 'utf8')).toContain('Resource 7');
    const { err } = await a2c(['agent', 'read', 'dpe://a/b', '--save', folder, '--url', server.url]);
    expect(err).toContain('--save is for other resources');
  });

  test('a2c agent read --save writes the picture of an element of a document', async () => {
    const folder = temporaryFolder();
    const bytes = png(6, 4);
    writeFileSync(join(folder, 'logo.png'), bytes);
    const documents: MCPServerConfig = {
      name: 'documents',
      type: 'stdio',
      server_parameters: {
        command: process.execPath,
        args: [documentsCommand, folder, '--authority', 'com.example.docs', '--no-index'],
      },
    };
    await using server = await SmcpServer.listen({ port: 0 });
    await using computer = await Computer.open({ name: 'desk', servers: { documents } });
    await computer.join(server.url, { office: 'demo' });
    const page = await a2c(['agent', 'read', 'dpe://com.example.docs/logo.png/pages/0', '--json', '--url', server.url]);
    const [picture] = page.json<{ elements: { element_id: string }[] }>().elements;
    const uri = `dpe://com.example.docs/logo.png/elements/${picture?.element_id}`;
    const out = temporaryFolder();
    expect((await a2c(['agent', 'read', uri, '--save', out, '--url', server.url])).out).toContain('saved as');
    expect(readFileSync(join(out, `${picture?.element_id}.png`))).toEqual(bytes);
  });

  test('a2c agent call in an office without Computers says how to add one', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const { code, err } = await a2c(['agent', 'call', 'x', '--url', server.url]);
    expect(code).toBe(2);
    expect(err).toContain("start one with 'a2c computer");
  });

  test('a2c agent call finds the Computer with the tool, and requires a choice when several have it', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using one = await openComputer({ a: { tools: ['shared'] } }, { name: 'one' });
    await using two = await openComputer({ b: { tools: ['shared', 'special'] } }, { name: 'two' });
    for (const computer of [one, two]) await computer.join(server.url, { office: 'demo' });
    const call = (...words: string[]) => a2c(['agent', 'call', ...words, '--url', server.url]);
    expect((await call('special')).code).toBe(0);
    expect((await call('shared')).err).toContain("Several Computers have a tool 'shared' (one, two)");
    expect((await call('shared', '-c', 'two')).code).toBe(0);
    expect((await a2c(['agent', 'desktop', '--url', server.url])).err).toContain('(one, two)');
  });

  test('a2c agent call accepts the name of a tool without its bundle_id, unless it means two tools', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const tools = Object.fromEntries(
      ['files__read', 'files__list', 'mail__list'].map(name => [name, () => text(name)]),
    );
    await using computer = await ScriptedComputer.join(server.url, { tools });
    for (const name of Object.keys(tools)) computer.descriptions.set(name, { bundle_id: name.split('__')[0] });
    const call = (name: string) => a2c(['agent', 'call', name, '--url', server.url]);
    expect((await call('files__read')).out).toContain('files__read');
    expect((await call('read')).out).toContain('files__read');
    expect((await call('list')).err).toContain(
      "Several tools are called 'list': choose one of files__list, mail__list",
    );
    expect((await call('reed')).err).toContain("did you mean 'read'?");
  });
});

describe('a2c agent watch', () => {
  test('a2c agent watch shows Computers that enter and leave, and changed tools', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const watch = startA2c(['agent', 'watch', '--url', server.url]);
    await watch.shows('Watching office');
    await using computer = await openComputer({ a: { tools: ['first'] } });
    await computer.join(server.url, { office: 'demo' });
    await watch.shows('enter       desk');
    await watch.shows('desk has 1 tool');
    await computer.disableServer('a');
    await watch.shows('desk -first (0 tools)');
    await computer.enableServer('a');
    await watch.shows('desk +first (1 tool)');
    await computer.leave();
    await watch.shows('leave       desk');
    expect((await watch.stop()).code).toBe(0);
  });

  test('a2c agent watch is silent about lists that are the same, and names an alias that has changed', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using computer = await ScriptedComputer.join(server.url, {
      tools: { a: () => text('a'), b: () => text('b') },
    });
    const watch = startA2c(['agent', 'watch', '--url', server.url]);
    await watch.shows('Watching office');
    const asked = computer.askedFor('client:get_tools').length;
    computer.announce('tool_list');
    await eventually(() => expect(computer.askedFor('client:get_tools').length).toBe(asked + 1));
    computer.tools.delete('b');
    computer.tools.set('c', () => text('c'));
    computer.descriptions.set('a', { description: 'other' });
    computer.announce('tool_list');
    await watch.shows('+c -b ~a (2 tools)');
    await watch.stop();
    expect(watch.out.match(/ tools {7}/g)).toHaveLength(1);
  });

  test('a2c agent watch shows the first attempt to reconnect and the number of all', async () => {
    const server = await SmcpServer.listen({ port: 0 });
    const { port } = new URL(server.url);
    const watch = startA2c(['agent', 'watch', '--url', server.url]);
    const all = startA2c(['agent', 'watch', '--url', server.url, '--office', 'other', '--json']);
    await watch.shows('Watching office');
    await all.shows('Watching office');
    await server.close();
    // Each attempt is an event of its own in JSON.
    await eventually(() => expect(all.out.match(/"retrying"/g)?.length ?? 0).toBeGreaterThan(3));
    await using _again = await SmcpServer.listen({ port: Number(port) });
    await watch.shows('joined after ');
    await Promise.all([watch.stop(), all.stop()]);
    expect(watch.out.match(/retrying/g)).toHaveLength(1);
  });
});

describe('the seat of the Agent', () => {
  test('a2c agent --wait waits until another Agent has left, and says so', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const holder = await Agent.connect(server.url, { name: 'holder', office: 'demo' });
    const waiting = startA2c(['agent', 'members', '--url', server.url, '--wait', '60']);
    await waiting.shows("Waiting for the seat: another Agent is in office 'demo'");
    await holder.close();
    const { code, err } = await waiting.ended;
    expect(code).toBe(0);
    expect(err.split('\n')).toHaveLength(1);
  });

  test('a2c agent without --wait names the option, and with it gives up after that time or at Ctrl-C', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    await using _holder = await Agent.connect(server.url, { name: 'holder', office: 'demo' });
    const members = ['agent', 'members', '--url', server.url];
    expect(await a2c(members)).toMatchObject({ code: 1, err: expect.stringContaining('--wait SECONDS') });
    expect(await a2c([...members, '--wait', '1'])).toMatchObject({ code: 1, err: /already has an agent/ });
    const waiting = startA2c(members, { env: { A2C_WAIT: '60' } });
    await waiting.shows('Waiting for the seat');
    expect(await waiting.stop()).toMatchObject({ code: 130 });
  });
});
