import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Computer, fileStore } from '@a2c-smcp/computer';
import { describe, expect, test } from 'vitest';
import { openProtectedServer, type ProtectedServer } from '../computer/protected.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { eventually } from '../eventually.ts';
import { visit } from '../fixtures/authorization-server.mjs';
import { a2c, type Running, startA2c } from './a2c.ts';
import { hasPseudoTerminal, Key, openTerminal } from './pseudo-terminal.ts';
import { PROMPT } from './shell.ts';

/** A configuration with the server, and an environment of its own. */
function place({ config }: ProtectedServer, others = {}) {
  const folder = temporaryFolder();
  const file = join(folder, 'mcp.json');
  const { name: _, ...entry } = config;
  writeFileSync(file, JSON.stringify({ servers: { shop: entry, ...others } }));
  mkdirSync(join(folder, 'run'), { mode: 0o700 });
  return { folder, file, env: { HOME: folder, XDG_RUNTIME_DIR: join(folder, 'run') } };
}

/** The address that a command shows. */
async function addressOf(command: Pick<Running, 'err'>): Promise<string> {
  await eventually(() => expect(command.err).toMatch(/^ {2}http/m));
  return /^ {2}(http\S+)/m.exec(command.err)?.[1] ?? '';
}

describe('a2c computer sign-in', () => {
  test('without a browser here, a code is typed on any device, and Computers find the sign-in in the store', async () => {
    const shop = await openProtectedServer();
    const { file, env, folder } = place(shop);
    const command = startA2c(['computer', 'sign-in', 'shop', '--config', file], { env });
    const address = await addressOf(command);
    const [, code = ''] = /^ {2}([A-Z]{4}-[A-Z]{4})$/m.exec(command.err) ?? [];
    await visit(address, { code });
    const { code: exit, out, err } = await command.ended;
    expect([exit, out]).toEqual([0, "Signed in to 'shop', which is ready with 5 tools"]);
    expect(err).toContain("A Computer with '--store file' finds it");
    const store = await fileStore(join(folder, '.config/a2c-smcp/inputs'));
    await using computer = await Computer.open({ name: 'desk', configFile: file, store });
    expect(computer.status()).toMatchObject([{ state: 'ready', auth: 'signed-in' }]);
    expect((await a2c(['doctor', '--config', file, '--store', 'file'], { env })).out).toContain('[mcp]');
    expect((await a2c(['doctor', '--config', file], { env })).out).toMatch(
      /MCP server 'shop' waits for a sign-in \[mcp-sign-in\]\n +→ Run 'a2c computer sign-in shop'/,
    );
    const left = await a2c(['computer', 'sign-out', 'shop', '--config', file], { env });
    expect([left.code, left.out]).toEqual([0, "Signed out of 'shop'"]);
    expect(await computer.restartServer('shop')).toMatchObject({ auth: 'sign-in-needed' });
  });

  test('the address that a browser elsewhere returned to is read from standard input', async () => {
    const shop = await openProtectedServer();
    const { file, env } = place(shop);
    const input = new PassThrough();
    const streams = { input, output: new PassThrough() };
    const command = startA2c(['computer', 'sign-in', 'shop', '--config', file, '--no-browser'], { env, streams });
    const address = await visit(await addressOf(command));
    expect(command.err).toMatch(/ssh -L (\d+):127\.0\.0\.1:\1 /);
    input.write('nonsense\n');
    await command.shows('That is not the address of this sign-in');
    input.write(`${address}\n`);
    expect(await command.ended).toMatchObject({ code: 0 });
  });

  test('a running Computer with the configuration is signed in, and Ctrl-C cancels', async () => {
    const shop = await openProtectedServer();
    const { file, env } = place(shop);
    const running = startA2c(['computer', '--offline', '--config', file, '--name', 'desk'], { env });
    const states = () => [...running.err.matchAll(/"auth":"([^"]+)"/g)].map(([, state]) => state);
    await eventually(() => expect(states()).toEqual(['sign-in-needed']));
    const cancelled = startA2c(['computer', 'sign-in', 'shop', '-c', file, '--no-browser'], { env });
    await addressOf(cancelled);
    expect((await cancelled.stop()).code).toBe(130);
    await eventually(() => expect(states()).toEqual(['sign-in-needed', 'signing-in', 'sign-in-needed']));
    const command = startA2c(['computer', 'sign-in', 'shop', '-c', file, '--no-browser'], { env });
    await fetch(await visit(await addressOf(command)));
    expect(await command.ended).toMatchObject({ code: 0, out: "Signed in to 'shop', which is ready with 5 tools" });
    expect(states().at(-1)).toBe('signed-in');
    expect(shop.tokens.size).toBe(1);
    // Nothing was stored beside it, and it has the socket to itself.
    expect(existsSync(join(env.HOME, '.config/a2c-smcp/inputs'))).toBe(false);
    const unknown = await a2c(['computer', 'sign-in', 'nobody', '-c', file], { env });
    expect([unknown.code, unknown.err]).toEqual([1, "a2c: No MCP server 'nobody' on this computer"]);
    expect((await running.stop()).code).toBe(0);
    const late = await a2c(['computer', 'sign-in', 'shoq', '-c', file], { env });
    expect([late.code, late.err]).toEqual([2, `a2c: There is no MCP server 'shoq' in '${file}': did you mean 'shop'?`]);
  });

  test.runIf(hasPseudoTerminal)(
    'the shell asks for a sign-in, opens the browser, and shows what became of it',
    async () => {
      const shop = await openProtectedServer();
      // The question comes while others start, and may be answered then.
      const slow = { type: 'stdio', server_parameters: { command: 'sh', args: ['-c', 'sleep 3'] } };
      const { file, env, folder } = place(shop, { slow });
      const opened = join(folder, 'opened');
      const opener = join(folder, 'xdg-open');
      writeFileSync(opener, `#!/bin/sh\necho "$1" > '${opened}.new' && mv '${opened}.new' '${opened}'\n`);
      chmodSync(opener, 0o755);
      const path = `${folder}${delimiter}${process.env.PATH}`;
      await using terminal = openTerminal(['computer', '--offline', '--config', file], {
        env: { ...env, PATH: path, DISPLAY: ':9', SSH_CONNECTION: '', SSH_TTY: '' },
      });
      await terminal.shows(/MCP server shop \(127\.0\.0\.1:\d+\) wants you to sign in\./);
      await terminal.shows('Sign in now? [y]es, [N]o: ');
      terminal.type(`y${Key.enter}`);
      expect(terminal.screen).not.toContain(PROMPT);
      await eventually(() => expect(existsSync(opened)).toBe(true));
      await terminal.shows("The page to sign in to 'shop' opens in the browser");
      await fetch(await visit(readFileSync(opened, 'utf8').trim()));
      await terminal.shows("Signed in to 'shop', which is ready with 5 tools");
      terminal.type(`status${Key.enter}`);
      await terminal.shows(/shop +ready +signed-in +5 +streamable/);
      // Neither the processes nor the files of this user have a token.
      const [token = ''] = shop.tokens;
      expect(token.length).toBeGreaterThan(20);
      expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(token);
      for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (name.isFile()) expect(readFileSync(join(name.parentPath, name.name), 'utf8')).not.toContain(token);
      }
      expect(terminal.screen).not.toContain(token);
      terminal.type(`sign-out shop${Key.enter}`);
      await terminal.shows("Signed out of 'shop'");
      const from = terminal.length;
      terminal.type(`status${Key.enter}`);
      await terminal.shows(/shop +failed +sign-in-needed +0/, from);
      await terminal.shows(PROMPT, from);
      terminal.type(`quit${Key.enter}`);
      expect(await terminal.ended).toBe(0);
    },
    60_000,
  );
});
