import { PassThrough, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Keyboard } from './keyboard.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A keyboard whose keys and screen are streams. */
function openKeyboard() {
  let screen = '';
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode() {} });
  const output = Object.assign(
    new Writable({
      write(chunk, _, done) {
        screen += chunk;
        done();
      },
    }),
    { isTTY: true, columns: 80, rows: 24 },
  );
  const keyboard = new Keyboard({
    input: input as unknown as ReadStream,
    output: output as unknown as WriteStream,
    onInterrupt() {},
  });
  return {
    keyboard,
    get screen() {
      return stripVTControlCharacters(screen).replaceAll('\r', '');
    },
    async type(keys: string) {
      input.write(keys);
      await turn();
    },
    end: () => void input.end(),
    /** Advances the clock by so many milliseconds. */
    async pass(ms: number) {
      await vi.advanceTimersByTimeAsync(ms);
      await turn();
      await turn();
    },
  };
}

const settled = async (answer: Promise<unknown>) =>
  Promise.race([answer.then(() => true), turn().then(() => turn(false))]);

describe('a question with settle', () => {
  test('a question with settle drops keys until none was pressed for half a second', async () => {
    const desk = openKeyboard();
    const answer = desk.keyboard.ask('Run it? ', { preface: ['a tool'], settle: true });
    await turn();
    for (let time = 0; time < 2000; time += 400) {
      await desk.type('y\r');
      await desk.pass(400);
    }
    expect(desk.screen).toContain('a tool');
    expect(desk.screen).not.toContain('Run it?');
    expect(await settled(answer)).toBe(false);
    await desk.pass(600);
    expect(desk.screen).toContain('Run it?');
    await desk.type('n\r');
    expect(await answer).toBe('n');
  });

  test('a question with settle drops keys that were pressed for the question before it', async () => {
    const desk = openKeyboard();
    const taken = new AbortController();
    const first = desk.keyboard.ask('First? ', { settle: true, signal: taken.signal });
    const second = desk.keyboard.ask('Second? ', { settle: true });
    await turn();
    await desk.pass(600);
    await desk.type('y');
    taken.abort();
    expect(await first).toBeUndefined();
    await desk.type('y\r');
    await desk.pass(600);
    expect(desk.screen).toContain('Second? ');
    expect(await settled(second)).toBe(false);
    await desk.type('\r');
    expect(await second).toBe('');
  });

  test('a question has no answer when the input ends or Ctrl-C is pressed', async () => {
    for (const wait of [0, 600]) {
      for (const end of ['ctrl-c', 'end'] as const) {
        const desk = openKeyboard();
        const answer = desk.keyboard.ask('Run it? ', { settle: true });
        await turn();
        await desk.pass(wait);
        if (end === 'end') desk.end();
        else await desk.type('\u0003');
        expect(await answer).toBeUndefined();
      }
    }
  });

  test('a question stays open when v shows more of it', async () => {
    const desk = openKeyboard();
    let page = 0;
    const answer = desk.keyboard.ask('Run it? ', { settle: true, onView: () => [`page ${++page}`] });
    await turn();
    await desk.pass(600);
    await desk.type('v\r');
    await desk.type('v\r');
    expect(desk.screen).toMatch(/page 1\nRun it\? [\s\S]*page 2\n/);
    await desk.type('y\r');
    expect(await answer).toBe('y');
  });
});

describe('questions that belong together', () => {
  /** A command line that has read `lines`. */
  function openShell(history: string[] = []) {
    const desk = openKeyboard();
    const lines: string[] = [];
    const stop = new AbortController();
    const reader = { prompt: '> ', history, onLine: async (line: string) => void lines.push(line) };
    void desk.keyboard.readCommands({ ...reader, complete: line => [[], line] }, stop.signal);
    return { ...desk, lines, screen: () => desk.screen, stop };
  }

  test('no prompt, no other question and no line comes between the questions of a dialog', async () => {
    const { keyboard, type, screen, lines } = openShell();
    await turn();
    await type('half');
    let later: () => void = () => {};
    const between = new Promise<void>(resolve => {
      later = resolve;
    });
    const both = keyboard.converse(async ask => {
      const first = await ask('First? ');
      await between;
      return [first, await ask('Second? ')];
    });
    const other = keyboard.ask('Other? ');
    await turn();
    await type('one\r');
    keyboard.write('a line\n');
    await type('nobody asked\r');
    later();
    await turn();
    await type('two\r');
    expect(await both).toEqual(['one', 'two']);
    expect(screen()).toMatch(/First\? one\n[^>]*Second\? two\n/);
    await turn();
    await type('three\r');
    expect(await other).toBe('three');
    await turn();
    expect(screen()).toMatch(/Second\? two\n[\s\S]*a line\n[\s\S]*Other\? three\n[\s\S]*> half$/);
    await type(' line\r');
    expect(lines).toEqual(['half line']);
  });

  test('a dialog that fails or is withdrawn gives the command line back', async () => {
    const { keyboard, type, lines } = openShell();
    await turn();
    await expect(
      keyboard.converse(async ask => {
        void ask('Open? ', { signal: AbortSignal.abort() });
        throw new Error('broken');
      }),
    ).rejects.toThrow('broken');
    await type('next\r');
    expect(lines).toEqual(['next']);
  });

  test('the up key brings lines of earlier sessions back, but no answers', async () => {
    const { keyboard, type, lines } = openShell(['newest', 'older']);
    await turn();
    const answer = keyboard.ask('Question? ');
    await turn();
    await type('an answer\r');
    expect(await answer).toBe('an answer');
    await turn();
    await type('\u001b[A\u001b[A\r');
    await type('\u001b[A\u001b[A\r');
    expect(lines).toEqual(['older', 'newest']);
  });
});

describe('lines that are written while a question is open', () => {
  test('lines that are written meanwhile follow the answer of a question', async () => {
    const desk = openKeyboard();
    const answer = desk.keyboard.ask('Which? ', { preface: ['1 one', '2 two'], settle: true });
    await turn();
    desk.keyboard.write('early\n');
    await desk.pass(600);
    desk.keyboard.write('late\n');
    expect(desk.screen).not.toMatch(/early|late/);
    await desk.type('1\r');
    expect(await answer).toBe('1');
    expect(desk.screen).toMatch(/1 one\n2 two\n\s*Which\? [\s\S]*early\nlate\n/);
  });

  test('lines that are written while a question is withdrawn are shown, the newest thousand', async () => {
    const desk = openKeyboard();
    const stop = new AbortController();
    const answer = desk.keyboard.ask('Which? ', { signal: stop.signal });
    await turn();
    for (let line = 1; line <= 1002; line++) desk.keyboard.write(`line ${line}\n`);
    stop.abort();
    expect(await answer).toBeUndefined();
    expect(desk.screen).toMatch(/… 2 earlier lines\nline 3\n[\s\S]*line 1002\n/);
  });
});

describe('a hidden question', () => {
  test('a hidden question does not show the typed text when a line is written meanwhile', async () => {
    const desk = openKeyboard();
    const answer = desk.keyboard.ask('Password: ', { hidden: true });
    await turn();
    await desk.type('pa55w0rd');
    desk.keyboard.write('a log line\n');
    await desk.type('!\r');
    expect(await answer).toBe('pa55w0rd!');
    expect(desk.screen).toMatch(/Password: [\s\S]*a log line\n/);
    expect(desk.screen).not.toContain('pa55');
  });
});
