import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { eventually, expectGone } from '../computer/office.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { root } from '../packages.ts';
import { startBusyServer, startComputer, startService } from './service.ts';

const THROW = `setTimeout(() => { throw new TypeError('planted\\n\\u001b[2J' + 'x'.repeat(100_000)); })`;
const REJECT = `Promise.reject(new TypeError('planted', { cause: new Error('the disk is full') }))`;

/** An environment in which a Node process fails unexpectedly on SIGUSR2. */
function failing(code: string): { env: Record<string, string> } {
  const file = join(temporaryFolder(), 'fail.mjs');
  writeFileSync(file, `process.on('SIGUSR2', () => { ${code}; });`);
  return { env: { NODE_OPTIONS: `--import ${pathToFileURL(file).href}`, CANARY: 'environment-canary' } };
}

const lastError = (err: string) =>
  err
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line))
    .findLast(({ level }) => level === 'error');

describe('an unexpected failure', () => {
  test.each([
    ['exception', THROW],
    ['rejection', REJECT],
  ])(
    'an uncaught %s ends a Server with exit code 70, after it answered calls in flight and logged one bounded line',
    async (_, code) => {
      await using server = await startBusyServer({ tool: 'slow', params: { ms: 1000 } }, failing(code));
      const { service } = server;
      service.child.kill('SIGUSR2');
      expect((await server.result).content[0]?.text).toBe('done');
      expect(await service.ended).toEqual([70, null]);
      const line = lastError(service.err);
      expect(line).toMatchObject({
        message: expect.stringContaining('failed'),
        error: expect.stringMatching(/^planted/),
      });
      if (code === REJECT) expect(line.causes).toEqual(['the disk is full']);
      expect(line.stack[0]).toMatch(/^TypeError: planted/);
      expect(service.err.length).toBeLessThan(20_000);
      expect(service.err).not.toContain('\u001b');
      expect(service.err).not.toContain('environment-canary');
    },
  );

  test('a second unexpected failure while draining ends a Server at once', async () => {
    await using server = await startBusyServer({ tool: 'hang' }, failing(THROW));
    const { service } = server;
    service.child.kill('SIGUSR2');
    await eventually(() => expect(lastError(service.err)).toBeDefined());
    service.child.kill('SIGUSR2');
    expect(await service.ended).toEqual([70, null]);
    expect(service.err.match(/"level":"error"/g)).toHaveLength(2);
  });

  test('an unexpected failure ends a Computer with exit code 70, and its MCP servers', async () => {
    await using computer = await startComputer(failing(THROW));
    const { service, pids } = computer;
    service.child.kill('SIGUSR2');
    expect(await service.ended).toEqual([70, null]);
    await expectGone(pids);
    expect(lastError(service.err)).toMatchObject({ error: expect.stringMatching(/^planted/) });
  });

  test('an unexpected failure ends a2c-documents with exit code 70 after one bounded line', async () => {
    const main = join(root, 'packages/documents/bin/a2c-documents.js');
    const words = [main, temporaryFolder(), '--no-index', '--port', '0'];
    const child = spawn(process.execPath, words, { env: { ...process.env, ...failing(THROW).env } });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', text => {
      err += text;
    });
    await eventually(() => expect(err).toContain('Documents at'));
    child.kill('SIGUSR2');
    expect(await once(child, 'exit')).toEqual([70, null]);
    expect(err.trim().split('\n')).toHaveLength(2);
    expect(err).toMatch(/a2c-documents: Unexpected failure: TypeError: planted/);
    expect(err.length).toBeLessThan(3000);
    expect(err).not.toContain('\u001b');
  });

  test('an unexpected failure ends an Agent command with exit code 70 after one line', async () => {
    await using server = startService(['server', '--port', '0']);
    const [, url = ''] = await server.line(/Server on (\S+)/);
    await using watch = startService(['agent', 'watch', '--url', url], failing(REJECT));
    await eventually(() => expect(watch.err).toContain('Watching office'));
    watch.child.kill('SIGUSR2');
    expect(await watch.ended).toEqual([70, null]);
    expect(watch.err.trim().split('\n').at(-1)).toMatch(/^a2c: .*planted/);
  });
});
