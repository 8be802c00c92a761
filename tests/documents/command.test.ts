import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { recordingLogger, testOffice } from '@a2c-smcp/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { DocumentsClient, documentsCommand, examples, temporaryFolder } from './client.ts';

/** Runs the command. Returns its output and exit code. */
async function run(...args: string[]) {
  const ended = promisify(execFile)(process.execPath, [documentsCommand, ...args]);
  return ended.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

describe('the command', () => {
  test('the command prints its usage', async () => {
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: a2c-documents FOLDER/);
  });

  test.each([
    ['no folder', [], 'Name at least one folder'],
    ['a folder that is not there', ['/no/such/folder'], '/no/such/folder'],
    ['an unknown option', ['--colour'], '--colour'],
    ['an unknown language', [examples, '--language', 'xx'], "not 'xx'"],
    ['contradictory options', [examples, '--watch', '--no-watch'], 'exclude each other'],
    ['a port that is none', [examples, '--port', 'many'], "not 'many'"],
  ])('the command refuses %s in one line', async (_, args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
  });

  test('the command ends with its input, also where that is no pipe', async () => {
    const child = spawn(process.execPath, [documentsCommand, examples, '--no-index'], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('--authority names the host of the URIs, and --host is a deprecated alias', { timeout: 20_000 }, async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'a.md'), '# First\n');
    for (const [option, warnings] of [
      ['--authority', 0],
      ['--host', 1],
    ] as const) {
      const child = spawn(process.execPath, [
        documentsCommand,
        folder.path,
        option,
        'com.example.docs',
        '--no-index',
        '--port',
        '0',
      ]);
      const lines: string[] = [];
      createInterface(child.stderr).on('line', line => lines.push(line));
      await eventually(() => expect(lines.at(-1)).toMatch(/^Documents at http:/));
      expect(lines.filter(line => line === 'a2c-documents: --host is deprecated: use --authority')).toHaveLength(
        warnings,
      );
      expect(lines).toHaveLength(warnings + 1);
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(/http:\S+/.exec(lines.at(-1) ?? '')?.[0] ?? '')));
      const { resources } = await client.listResources();
      expect(resources[0]?.uri).toMatch(/^dpe:\/\/com\.example\.docs\//);
      await client.close();
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  });

  test('without --authority the host is legal, the same at each start, and another one for other folders', async () => {
    using folder = temporaryFolder();
    const [files, others] = [join(folder.path, 'files'), join(folder.path, 'others')];
    for (const path of [files, others]) {
      mkdirSync(path);
      writeFileSync(join(path, 'a.md'), '# First\n');
    }
    const hostOf = async (...args: string[]) => {
      await using client = await DocumentsClient.open(args, { authority: undefined });
      const { resources } = await client.mcp.listResources();
      return new URL(resources[0]?.uri ?? '').host;
    };
    const host = await hostOf(files);
    expect(host).toMatch(/^local\.files\.[0-9a-f]{8}$/);
    expect(await hostOf(files)).toBe(host);
    const several = await hostOf(files, others);
    expect(several).not.toBe(host);
    expect(several).toMatch(/^[a-z0-9]+(\.[a-z0-9]+)+$/);
  });

  test('two documents servers of one Computer share no host, and each of their documents can be read', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'a.md'), '# Of the folder\n');
    const logger = recordingLogger();
    const parameters = (path: string) => ({ command: process.execPath, args: [documentsCommand, '--no-index', path] });
    const servers = {
      one: { type: 'stdio', server_parameters: parameters(examples) } as const,
      two: { type: 'stdio', server_parameters: parameters(folder.path) } as const,
    };
    await using office = await testOffice({ desk: {} }, { computer: { servers, logger } });
    const { documents } = await office.agent.getFinder('desk', { limit: 100 });
    expect(new Set(documents.map(document => document.server))).toEqual(new Set(['one', 'two']));
    for (const { uri } of documents) await office.agent.readDocument('desk', uri);
    expect(logger.lines.filter(({ fields }) => fields !== undefined && 'host' in fields)).toEqual([]);
  });

  test('changes are announced without an option, and neither declared nor announced with --no-watch', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'a.md'), '# First\n');
    await using client = await DocumentsClient.open([folder.path]);
    expect(client.mcp.getServerCapabilities()?.resources).toEqual({ subscribe: true, listChanged: true });
    let changes = 0;
    client.mcp.setNotificationHandler('notifications/resources/list_changed', () => void changes++);
    await client.catalog('dpe://documents');
    const before = changes;
    writeFileSync(join(folder.path, 'b.md'), '# Second\n');
    await eventually(() => expect(changes).toBeGreaterThan(before));
    await using silent = await DocumentsClient.open([folder.path, '--no-watch']);
    expect(silent.mcp.getServerCapabilities()?.resources).toEqual({});
    silent.mcp.setNotificationHandler('notifications/resources/list_changed', () => expect.unreachable());
    await silent.catalog('dpe://documents');
    writeFileSync(join(folder.path, 'c.md'), '# Third\n');
    const { documents } = await silent.catalog('dpe://documents');
    expect(documents.map(({ doc_ref }) => doc_ref)).toEqual(['a.md', 'b.md', 'c.md']);
  });

  test('the command serves HTTP, keeps its index in the cache folder, and ends on SIGTERM', {
    timeout: 20_000,
  }, async () => {
    using cache = temporaryFolder();
    const env = { ...process.env, XDG_CACHE_HOME: cache.path };
    const child = spawn(process.execPath, [documentsCommand, examples, '--port', '0'], { env });
    const [line] = await once(createInterface(child.stderr), 'line');
    const url = /http:\S+/.exec(line)?.[0] ?? '';
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    await eventually(async () => {
      const { resources } = await client.listResources();
      expect(resources.map(({ _meta }) => _meta?.page_count)).toEqual(Array(11).fill(expect.any(Number)));
    });
    await client.close();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(readdirSync(join(cache.path, 'a2c-smcp/documents'))).toHaveLength(1);
  });
});
