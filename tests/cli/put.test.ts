import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Agent, type UploadedFile } from '@a2c-smcp/agent';
import { SmcpServer } from '@a2c-smcp/server';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../computer/temporary.ts';
import { bundled } from '../programs.ts';
import { a2c, startA2c } from './a2c.ts';
import { hasPseudoTerminal, openTerminal } from './pseudo-terminal.ts';

/** A Server and `a2c computer --uploads`. */
async function openUploads(): Promise<{ url: string; folder: string; stop: () => Promise<unknown> }> {
  const server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
  const folder = join(temporaryFolder(), 'uploads');
  const computer = startA2c(['computer', '--name', 'desk', '--url', server.url, '--uploads', folder]);
  await computer.shows("Computer 'desk' is in office");
  onTestFinished(async () => {
    await computer.stop();
    await server.close();
  });
  return { url: server.url, folder, stop: () => computer.stop() };
}

/** A file of this many bytes. */
function fileOf(size: number, name = '报告 2026.xlsx'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, randomBytes(size));
  return path;
}

test('a2c agent put sends a file and prints its path, and the Computer deletes it at its end', async () => {
  const { url, folder, stop } = await openUploads();
  const file = fileOf(700_000);
  const { code, out } = await a2c(['agent', 'put', 'desk', file, '--url', url]);
  expect(code).toBe(0);
  expect(basename(out)).toBe('报告 2026.xlsx');
  expect(readFileSync(out).equals(readFileSync(file))).toBe(true);
  const again = (
    await a2c(['agent', 'put', 'desk', file, '--as', 'b.xlsx', '--json', '--url', url])
  ).json<UploadedFile>();
  expect(again).toEqual({ path: again.path, size: 700_000, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(basename(again.path)).toBe('b.xlsx');
  // The first one is still there, although every command is an Agent of its own.
  expect(existsSync(out)).toBe(true);
  await stop();
  expect(readdirSync(folder)).toEqual([]);
});

test('a2c agent put says what is wrong', async () => {
  const { url } = await openUploads();
  const put = (...words: string[]) => a2c(['agent', 'put', ...words, '--url', url]);
  expect(await put()).toMatchObject({ code: 2, err: expect.stringContaining('Which Computer?') });
  expect(await put('desk')).toMatchObject({ code: 2, err: expect.stringContaining('Which file?') });
  expect(await put('desk', '/nowhere')).toMatchObject({ code: 1, err: expect.stringContaining("no file '/nowhere'") });
  expect(await put('desk', fileOf(0))).toMatchObject({ code: 1, err: expect.stringContaining('empty file') });
  expect(await put('nobody', fileOf(9))).toMatchObject({ code: 1, err: expect.stringContaining("'nobody'") });
});

test.runIf(hasPseudoTerminal)('a2c agent put shows a progress bar on a terminal', async () => {
  const { url } = await openUploads();
  await using terminal = openTerminal(['agent', 'put', 'desk', fileOf(3_000_000), '--url', url]);
  await terminal.shows(/█+░+ +\d+ % +\d\.\d of 2\.9 MiB/);
  expect(await terminal.ended).toBe(0);
});

test.runIf(process.platform === 'linux')(
  'a full disk refuses an upload with io_error and leaves nothing behind',
  async () => {
    const server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
    const folder = join(temporaryFolder(), 'uploads');
    // No file of this process may have more than 400 KiB; writing fails as it does on a full disk.
    const words = ['computer', '--name', 'desk', '--url', server.url, '--uploads', folder, '--service'];
    const script = 'ulimit -f 400; exec "$@"';
    const command = [process.execPath, bundled('a2c'), ...words];
    const child = spawn('bash', ['-c', script, 'bash', ...command], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(async () => {
      child.kill();
      await once(child, 'exit');
      await server.close();
    });
    await once(child.stdout, 'data');
    await using agent = await Agent.connect(server.url, { name: 'a', office: 'demo' });
    const upload = agent.upload('desk', fileOf(1_000_000));
    await expect(upload).rejects.toMatchObject({ code: 4019, details: { reason: 'io_error' } });
    expect(readdirSync(folder)).toEqual([]);
    const small = await agent.upload('desk', fileOf(100_000));
    expect(existsSync(small.path)).toBe(true);
  },
);
