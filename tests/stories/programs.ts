import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import type { World } from '../../packages/cli/src/command.ts';
import type { Terminal } from '../../packages/cli/src/output/terminal.ts';
import { type Ran, type Running, startA2c } from '../cli/a2c.ts';
import { visit } from '../fixtures/authorization-server.mjs';
import type { Outcome } from './story.ts';

const POLL_MS = 20;

type Started = Running & { ended: Promise<Ran> };

/** Waits until a command shows a text. Resolves with how it ended if it ended before. */
export async function until(running: Started, text: RegExp): Promise<Ran | undefined> {
  for (;;) {
    const pause = new Promise<undefined>(resolve => setTimeout(resolve, POLL_MS));
    const ended = await Promise.race([running.ended, pause]);
    if (ended) return ended;
    if (text.test(`${running.out}\n${running.err}`)) return undefined;
  }
}

/** Stops a command that runs on as soon as it shows a text. */
export async function once(running: Started, text: RegExp): Promise<Outcome> {
  const ended = await until(running, text);
  if (ended) return { ...ended, code: ended.code || 1 };
  const { out, err } = await running.stop();
  return { code: 0, out, err };
}

/** Does what the owner does at a sign-in: visits the address that the command shows, and types the code. */
export async function signIn(running: Started): Promise<Outcome> {
  const ended = await until(running, /^ {2}[A-Z]{4}-[A-Z]{4}$/m);
  if (ended) return { ...ended, code: ended.code || 1 };
  const [, address = ''] = /^ {2}(http\S+)/m.exec(running.err) ?? [];
  const [, code = ''] = /^ {2}([A-Z]{4}-[A-Z]{4})$/m.exec(running.err) ?? [];
  await visit(address, { code });
  return running.ended;
}

/** An MCP client on standard input and output of a bridge: it lists the tools and leaves. */
export async function talk(words: string[], world: Partial<World>): Promise<Outcome> {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const bridge = startA2c(words, { ...world, streams });
  let answers = '';
  const send = (message: object) => streams.input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  streams.output.setEncoding('utf8').on('data', text => {
    answers += text;
    if (/"id":1\b/.test(text)) {
      send({ method: 'notifications/initialized' });
      send({ id: 2, method: 'tools/list' });
    }
    if (/"id":2\b/.test(text)) streams.input.end();
  });
  const clientInfo = { name: 'reader', version: '1.0.0' };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  const { code, err } = await bridge.ended;
  return { code, out: answers, err };
}

/** A command of kubectl that needs no cluster: it shows what it would create. Others are as they are. */
export function withoutEffect(words: string[]): string[] {
  const [program, action, ...args] = words;
  if (program !== 'kubectl') return words;
  return action === 'apply' ? [program, 'kustomize', ...args.slice(1)] : [...words, '--dry-run=client'];
}

/** A program that is not in this process, without input. */
export async function runProgram([program = '', ...args]: string[], env: Record<string, string>): Promise<Outcome> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', text => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    err += text;
  });
  const code = await new Promise<number>(resolve => {
    child.on('error', () => resolve(1)).on('close', status => resolve(status ?? 1));
  });
  return { code, out, err };
}

/** A person at a terminal who gives one answer to all questions. */
export function atPrompt(answer: string): Terminal {
  return {
    size: { rows: 24, columns: 80 },
    ask: async () => answer,
    async readCommands() {},
    converse(run) {
      return run(this.ask);
    },
    status() {},
    openScreen() {
      throw new Error('There is no screen');
    },
  };
}
