import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Limiter } from '@a2c-smcp/core';
import { ByteCache } from '../byte-cache.ts';

const COMMAND = 'tesseract';
/** Milliseconds for one picture. */
const RECOGNISE_TIMEOUT_MS = 60_000;
const CHECK_TIMEOUT_MS = 10_000;
/** Bytes of text of one picture; a page of a newspaper has some 30,000. */
const MAX_TEXT_BYTES = 1024 * 1024;
/** Kibibytes of address space of a process, where the system limits it. */
const MAX_MEMORY_KIB = 2 * 1024 * 1024;
const CACHE_BYTES = 16 * 1024 * 1024;
/** Pictures that are read at the same time. */
const MAX_PROCESSES = Math.max(1, Math.min(2, availableParallelism() - 1));

/** Reads the words of pictures with the `tesseract` command, one bounded process for each picture. */
export class Recogniser {
  readonly languages: string;
  /** Texts by the sums of their pictures: a page is read for its reader and for the search. */
  readonly #texts = new ByteCache<string>(CACHE_BYTES);
  readonly #processes = new Limiter(MAX_PROCESSES);

  private constructor(languages: string) {
    this.languages = languages;
  }

  /** @param languages as Tesseract names them, as in `eng+chi_sim`. Throws if the command or one of them is missing. */
  static async open(languages: string): Promise<Recogniser> {
    if (!/^\w+(?:[+/]\w+)*$/.test(languages)) {
      throw new TypeError(`Languages of text recognition are named as in 'eng+chi_sim', not '${languages}'`);
    }
    const listed = await run(['--list-langs'], { timeout: CHECK_TIMEOUT_MS }).catch(cause => {
      const message = `Text recognition needs the command '${COMMAND}', which cannot be started; install Tesseract first`;
      throw new Error(message, { cause });
    });
    const known = listed.split('\n').map(line => line.trim());
    const missing = languages.split('+').filter(language => !known.includes(language));
    if (missing.length > 0) {
      throw new Error(
        `Text recognition does not know '${missing.join('+')}'; install the language for Tesseract first`,
      );
    }
    return new Recogniser(languages);
  }

  /** The words of a picture. Rejects if it takes too long or is no picture that Tesseract reads. */
  async read(picture: Uint8Array, signal?: AbortSignal): Promise<string> {
    const sum = createHash('sha256').update(picture).digest('base64');
    const known = this.#texts.get(sum);
    if (known !== undefined) return known;
    return this.#processes.run(async () => {
      signal?.throwIfAborted();
      const args = ['stdin', 'stdout', '-l', this.languages];
      const text = await run(args, { timeout: RECOGNISE_TIMEOUT_MS, input: picture, signal });
      this.#texts.set(sum, text, 2 * text.length);
      return text;
    });
  }
}

interface RunOptions {
  timeout: number;
  input?: Uint8Array;
  signal?: AbortSignal | undefined;
}

/** Runs the command and returns what it prints. It is ended when it takes too long or prints too much. */
function run(args: readonly string[], { timeout, input, signal }: RunOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = start(args);
    const parts: Buffer[] = [];
    let size = 0;
    const stop = (reason: unknown) => {
      child.kill('SIGKILL');
      reject(reason);
    };
    const onAbort = () => stop(signal?.reason);
    const timer = setTimeout(() => stop(new Error('Text recognition took too long')), timeout);
    signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout?.on('data', (part: Buffer) => {
      size += part.length;
      if (size > MAX_TEXT_BYTES) stop(new Error('Text recognition found too much text'));
      else parts.push(part);
    });
    child.on('error', stop);
    child.on('close', code => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      if (code === 0) resolve(Buffer.concat(parts).toString());
      else reject(new Error(`Text recognition failed with the exit code ${code}`));
    });
    // The command may end before it has read everything.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** Pictures are unpacked by the command: a shell limits its memory first, where there is one. */
function start(args: readonly string[]): ChildProcess {
  const options: SpawnOptions = {
    env: { ...process.env, OMP_THREAD_LIMIT: '1' },
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  };
  if (process.platform === 'win32') return spawn(COMMAND, args, options);
  const limited = `ulimit -v ${MAX_MEMORY_KIB} 2>/dev/null; exec "$0" "$@"`;
  return spawn('/bin/sh', ['-c', limited, COMMAND, ...args], options);
}
