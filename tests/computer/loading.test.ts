import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../packages.ts';

/** Prints whether Socket.IO is loaded: before a Computer is open, while it is offline, and after it has tried to join. */
const PROGRAM = `
  import { createRequire } from 'node:module';
  import { Computer } from '@a2c-smcp/computer';
  const { cache } = createRequire(import.meta.url);
  const isLoaded = () => Object.keys(cache).some(file => file.includes('xmlhttprequest-ssl'));
  const seen = [isLoaded()];
  const computer = await Computer.open({ name: 'desk' });
  seen.push(isLoaded());
  await computer.join('http://127.0.0.1:1', { office: 'o' }).catch(() => {});
  seen.push(isLoaded());
  await computer.close();
  console.log(JSON.stringify(seen));
`;

test('a Computer loads Socket.IO when it joins an office, so that MCP servers start before that', async () => {
  const args = ['--input-type=module', '--eval', PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  expect(JSON.parse(stdout)).toEqual([false, false, true]);
});
