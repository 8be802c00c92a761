import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Computer, fileStore } from '@a2c-smcp/computer';
import { apiKeys, SmcpServer } from '@a2c-smcp/server';
import { Server } from 'socket.io';
import { describe, expect, test } from 'vitest';
import { checkNode } from '../../packages/cli/src/commands/doctor/doctor.ts';
import { fixture, openComputer } from '../computer/office.ts';
import { publishing } from '../computer/publishing.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { root } from '../packages.ts';
import { a2c } from './a2c.ts';

interface Finding {
  code: string;
  severity: string;
  text: string;
  remedy?: string;
  details?: string[];
}

async function examine(...words: string[]): Promise<{ code: number; findings: Finding[]; codes: string[] }> {
  const { code, json } = await a2c(['doctor', '--json', '--name', 'desk', ...words]);
  const findings = json<Finding[]>();
  return { code, findings, codes: findings.map(finding => finding.code) };
}

function configFile(script: object, env?: object): string {
  const path = join(temporaryFolder(), 'mcp.json');
  const server_parameters = { command: process.execPath, args: [fixture, JSON.stringify(script)], env };
  const inputs = [{ id: 'token', type: 'promptString', description: 'The token' }];
  writeFileSync(path, JSON.stringify({ inputs, servers: { scripted: { type: 'stdio', server_parameters } } }));
  return path;
}

/** Writes as fast as the client reads, up to 500 MB. */
function pour(response: ServerResponse, left = 500): void {
  if (left > 0 && !response.destroyed) response.write('x'.repeat(1_000_000), () => pour(response, left - 1));
}

describe('a2c doctor', () => {
  test('a2c doctor finds no problem in a working setup', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const { code, codes } = await examine('--config', configFile({}), '--url', server.url);
    expect(code).toBe(0);
    expect(codes).toEqual(['node', 'config', 'mcp', 'server', 'message-size', 'credentials', 'name', 'office']);
  });

  test('a2c doctor shows the last lines of an MCP server that does not start', async () => {
    const { code, findings } = await examine('--config', configFile({ exit: 'start', say: 'no database here' }));
    expect(code).toBe(1);
    const failed = findings.find(finding => finding.code === 'mcp-failed');
    expect(failed).toMatchObject({ severity: 'problem', remedy: expect.any(String) });
    expect(failed?.details?.join('\n')).toContain('no database here');
  });

  test('a2c doctor explains windows and documents that are left out', async () => {
    const app = 'window://com.example.app';
    const wrong = {
      resources: [{ uri: `${app}/good` }, { uri: 'window://' }, { uri: `${app}/a?b` }, { uri: `${app}/c?d` }],
    };
    const servers = {
      wrong: { ...publishing(wrong), documents: ['wiki://*'] },
      silent: publishing({ windows: 1, documents: 1, capability: {} }),
    };
    const path = join(temporaryFolder(), 'mcp.json');
    const named = Object.entries(servers).map(([name, server]) => [name, { ...server, name }]);
    writeFileSync(path, JSON.stringify({ servers: Object.fromEntries(named) }));
    const { code, findings } = await examine('--config', path);
    expect(code).toBe(0);
    const texts = findings
      .filter(finding => finding.code === 'resources')
      .map(({ severity, text }) => [severity, text]);
    const expected = [
      ['warning', 'A window is left out: its URI is not valid (window://)'],
      ['warning', `The URI of a window has a query, which is dropped (${app}/a?b and 1 more)`],
      ['warning', expect.stringMatching(/^Windows are left out: .* \(MCP server 'silent'\)$/)],
      ['warning', expect.stringMatching(/^Documents are left out: .* \(MCP server 'silent'\)$/)],
      ['warning', "No readable resource matches a pattern of 'documents' (wiki://*)"],
    ];
    for (const line of expected) expect(texts).toContainEqual(line);
    expect(texts).toHaveLength(expected.length);
    const unmatched = findings.find(({ text }) => text.includes('wiki://*'));
    expect(unmatched?.remedy).toContain("Correct 'documents' in the configuration");
  });

  test('a2c doctor names inputs without a value', async () => {
    const config = configFile({}, { TOKEN: '${input:token}' });
    expect((await examine('--config', config)).codes).toContain('input-missing');
    expect((await examine('--config', config, '--input', 'token=x')).code).toBe(0);
  });

  test('a2c doctor checks the file of a2c add also when A2C_URL names the Server, and not with --url', async () => {
    const home = temporaryFolder();
    await using server = await SmcpServer.listen({ port: 0 });
    const env = { HOME: home, A2C_URL: server.url };
    await a2c(['add', 'mine', '--', process.execPath, fixture], { env });
    const codesOf = async (...words: string[]) => {
      const { json } = await a2c(['doctor', '--json', '--name', 'desk', ...words], { env });
      return json<Finding[]>().map(({ code }) => code);
    };
    expect(await codesOf()).toEqual(expect.arrayContaining(['config', 'mcp', 'server']));
    const other = await codesOf('--url', server.url.replace('127.0.0.1', 'localhost'));
    expect([other.includes('server'), other.includes('config')]).toEqual([true, false]);
  });

  test('a2c doctor takes values of inputs from the store of the same file', async () => {
    const home = temporaryFolder();
    const config = configFile({}, { TOKEN: '${input:token}' });
    const store = await fileStore(join(home, '.config', 'a2c-smcp', 'inputs'));
    await using computer = await Computer.open({ name: 'desk', configFile: config, store });
    await computer.setInput('token', 'stored');
    const codesWith = async (...words: string[]) => {
      const { json } = await a2c(['doctor', '--json', '--config', ...words], { env: { HOME: home } });
      return json<Finding[]>().map(({ code }) => code);
    };
    expect(await codesWith(config)).toContain('input-missing');
    expect(await codesWith(config, '--store', 'file')).toEqual(['node', 'config', 'mcp']);
    const copy = configFile({}, { TOKEN: '${input:token}' });
    expect(await codesWith(copy, '--store', 'file')).toContain('input-missing');
  });

  test.each([
    ['a URL where nothing listens', { url: 'http://127.0.0.1:9/mcp' }, /^Check its URL/],
    ['a missing variable', { command: 'x', env: { A: '${env:NO_SUCH}' } }, /^Set 'NO_SUCH' in the environment/],
    ['a wrong script', { command: 'x', vrl: '. = (' }, /^Correct the script/],
    ['a missing program', { command: 'no-such-program' }, /^Install the program/],
    ['a missing envFile', { command: 'x', envFile: 'none.env' }, /^Create the file/],
    ['a missing input', { command: 'x', env: { A: '${input:token}' } }, /^Give the input its value/],
  ])('a2c doctor gives the remedy for %s', async (_, server, remedy) => {
    const path = join(temporaryFolder(), 'mcp.json');
    const inputs = [{ id: 'token', type: 'promptString' }];
    writeFileSync(path, JSON.stringify({ inputs, mcpServers: { s: server } }));
    const { findings } = await examine('--config', path);
    expect(findings.find(({ code }) => code === 'mcp-failed')?.remedy).toMatch(remedy);
  });

  test.each([
    [401, {}, 'mcp-sign-in', /^Run 'a2c computer sign-in s'/],
    [401, { headers: { authorization: 'Bearer x' } }, 'mcp-failed', /^Give it credentials/],
    [404, {}, 'mcp-failed', /^Check the path/],
  ])('a2c doctor gives the remedy for an MCP server that answers HTTP %i', async (status, fields, expected, remedy) => {
    const http = createServer((_, response) => response.writeHead(status).end('no'));
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const path = join(temporaryFolder(), 'mcp.json');
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    writeFileSync(path, JSON.stringify({ mcpServers: { s: { url, ...fields } } }));
    const { findings } = await examine('--config', path);
    http.closeAllConnections();
    http.close();
    expect(findings.find(({ code }) => code === expected)?.remedy).toMatch(remedy);
  });

  test('a2c doctor names fields without effect, and the variable that a shell can set', async () => {
    const path = join(temporaryFolder(), 'mcp.json');
    const inputs = [{ id: 'api-key', type: 'promptString' }];
    const entry = { command: process.execPath, args: ['${input:api-key}'], trust: true };
    writeFileSync(path, JSON.stringify({ inputs, mcpServers: { s: entry } }));
    const { findings } = await examine('--config', path);
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'config-ignored', text: expect.stringContaining('mcpServers.s.trust') }),
    );
    expect(findings.find(({ code }) => code === 'input-missing')?.remedy).toContain('A2C_SMCP_api_key,');
  });

  test('a2c doctor names inputs that are not defined', async () => {
    const { code, findings } = await examine('--config', configFile({}, { TOKEN: '${input:tokn}' }));
    expect(code).toBe(1);
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'input-unknown', remedy: "Did you mean 'token'?" }),
    );
  });

  test('a2c doctor distinguishes unreadable and invalid configuration files', async () => {
    expect((await examine('--config', join(temporaryFolder(), 'none.json'))).codes).toContain('config-unreadable');
    expect((await examine('--config', '/dev/zero')).codes).toContain('config-unreadable');
    const path = join(temporaryFolder(), 'mcp.json');
    writeFileSync(path, '{ "servers": { "x": { "type": "stdio" } } }');
    expect((await examine('--config', path)).codes).toContain('config-invalid');
  });

  test('a2c doctor distinguishes an unreachable Server, an invalid URL and refused credentials', async () => {
    expect((await examine('--url', 'http://127.0.0.1:9')).codes).toContain('server-unreachable');
    expect((await examine('--url', 'nonsense')).codes).toContain('url-invalid');
    expect((await examine('--url', 'ftp://127.0.0.1')).codes).toContain('url-invalid');
    await using server = await SmcpServer.listen({ port: 0, authenticate: apiKeys('right') });
    expect((await examine('--url', server.url, '--key', 'wrong')).codes).toContain('credentials-refused');
    expect((await examine('--url', server.url, '--key', 'right')).code).toBe(0);
  });

  test('a2c doctor recognises a refused version and a taken name', async () => {
    await using other = await SmcpServer.listen({ port: 0, acceptVersions: ['9.9'] });
    expect((await examine('--url', other.url)).codes).toContain('version-refused');
    await using server = await SmcpServer.listen({ port: 0 });
    await using computer = await openComputer({});
    await computer.join(server.url, { office: 'demo' });
    const { code, codes } = await examine('--url', server.url);
    expect(codes).toContain('name-taken');
    // It may be the Computer of this machine, which is as it should be.
    expect(code).toBe(0);
  });

  test('a2c doctor recognises a certificate that is not trusted, and trusts that of --ca', async () => {
    const [cert, key] = ['localhost.pem', 'localhost-key.pem'].map(name => join(root, 'tests/fixtures/tls', name)) as [
      string,
      string,
    ];
    await using server = await SmcpServer.listen({
      port: 0,
      tls: { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') },
    });
    const url = server.url.replace('127.0.0.1', 'localhost');
    const { findings } = await examine('--url', url);
    const [found] = findings.filter(({ severity }) => severity === 'problem');
    expect(found).toMatchObject({ code: 'server-untrusted', remedy: expect.stringContaining('--ca FILE') });
    expect((await examine('--url', url, '--ca', cert)).codes).toContain('credentials');
  });

  test('a2c doctor does not take a refused office for a taken name', async () => {
    const keys = new Map([['k', { id: 'key', offices: ['other'] }]]);
    await using server = await SmcpServer.listen({ port: 0, authenticate: apiKeys(keys) });
    const { codes } = await examine('--url', server.url, '--key', 'k', '--name', 'taken');
    expect(codes).toContain('join-refused');
  });

  test.each([
    ['never ends its answer', (response: ServerResponse) => void pour(response)],
    ['stops in the middle', (response: ServerResponse) => void response.write('0{', () => response.destroy())],
  ])('a2c doctor does not wait for a Server that %s', async (_, answer) => {
    const http = createServer((_, response) => answer(response.writeHead(200)));
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const { port } = http.address() as AddressInfo;
    const { code, findings } = await examine('--url', `http://127.0.0.1:${port}`);
    http.closeAllConnections();
    http.close();
    expect(code).toBe(1);
    expect(findings.at(-1)).toMatchObject({ severity: 'problem', remedy: expect.any(String) });
    expect(JSON.stringify(findings).length).toBeLessThan(5000);
  });

  test('a2c doctor warns about a Server with a small message limit', async () => {
    const server = new Server(0);
    const { port } = server.httpServer.address() as { port: number };
    const { findings } = await examine('--url', `http://127.0.0.1:${port}`);
    await server.close();
    expect(findings).toContainEqual(expect.objectContaining({ code: 'message-size-small', severity: 'warning' }));
  });

  test.each([
    ['v20.18.0', 'node-old'],
    ['v18.20.1', 'node-old'],
    ['v20.19.0', 'node'],
    ['v24.1.0', 'node'],
  ])('a2c doctor reports Node %s as %s', (version, code) => {
    expect(checkNode(version).code).toBe(code);
  });
});
