import { Emitter, isObject, type Logger, SerialQueue } from '@a2c-smcp/core';
import * as z from 'zod';
import { hashOf } from '../config/origin.ts';
import { preparePrivateFolder, readPrivateFile, replacePrivateFile } from '../inputs/private-file.ts';
import { linesChanged } from './diff.ts';

/** Stands for all windows of a server in the place of a tool: their hosts are pinned. */
export const WINDOWS = 'window://';

/** The part of a tool's definition that a model reads. */
export interface ToolDefinition {
  name: string;
  description?: string | undefined;
  inputSchema?: unknown;
  annotations?: unknown;
}

/** A tool of a server of one configuration. */
export interface PinnedTool {
  /** The configuration of the server, hashed. */
  origin: string;
  server: string;
  tool: string;
}

export interface Pin extends PinnedTool {
  /** ISO 8601. */
  pinnedAt: string;
  /** True if the server offers another definition by now. */
  isChanged: boolean;
}

/** A text of this many characters is kept for a diff; of longer ones only the sum. */
const MAX_TEXT_LENGTH = 16 * 1024;
const MAX_PINS = 10_000;

const StoredPin = z.object({
  origin: z.string(),
  server: z.string(),
  tool: z.string(),
  sum: z.string(),
  text: z.string().optional(),
  pinnedAt: z.string(),
});
type StoredPin = z.infer<typeof StoredPin>;
const PinFile = z.object({ version: z.literal(1), pins: z.array(StoredPin) });

/**
 * The definitions of tools as they were when they were first used or last approved. A tool whose definition has changed
 * since is asked for again: a server may turn a harmless tool into another one after its approval.
 */
export class Pins {
  /** Definitions that had changed were accepted, or pins were removed. */
  readonly events = new Emitter<{ accepted: undefined }>();
  readonly #file: string | undefined;
  readonly #logger: Logger;
  readonly #pins = new Map<string, StoredPin>();
  readonly #writes = new SerialQueue();
  /** Removed here, and perhaps still in the file. */
  readonly #forgotten = new Set<string>();
  /** The current definitions that differ from their pin, by key. */
  readonly #changed = new Map<string, string>();

  private constructor(file: string | undefined, logger: Logger) {
    this.#file = file;
    this.#logger = logger;
  }

  /** Without a file, definitions are kept for the life of the process. */
  static async open(file: string | undefined, logger: Logger): Promise<Pins> {
    const pins = new Pins(file, logger);
    if (file !== undefined) await pins.#read(file);
    return pins;
  }

  get list(): Pin[] {
    return [...this.#pins.entries()].map(([key, { origin, server, tool, pinnedAt }]) => ({
      origin,
      server,
      tool,
      pinnedAt,
      isChanged: this.#changed.has(key),
    }));
  }

  /** Compares a definition with the pinned one. @returns undefined when it is the same or the first, else the changes */
  changesOf(subject: PinnedTool, definition: ToolDefinition): string[] | undefined {
    const key = keyOf(subject);
    const pin = this.#pins.get(key);
    const text = textOf(definition);
    if (!pin || pin.sum === hashOf(text)) {
      this.#changed.delete(key);
      return undefined;
    }
    this.#changed.set(key, text);
    return linesChanged(pin.text ?? '(the former definition was too long to keep)', text);
  }

  /**
   * Of the hosts under which a server publishes windows, those that it had when it published its first, or that were
   * accepted since. Windows go straight into the context of a model.
   */
  acceptedHosts(subject: Omit<PinnedTool, 'tool'>, hosts: ReadonlySet<string>): ReadonlySet<string> {
    if (hosts.size === 0) return hosts;
    const windows = { ...subject, tool: WINDOWS };
    const key = keyOf(windows);
    const pin = this.#pins.get(key);
    if (!pin) {
      this.#put(windows, hostLines(hosts));
      return hosts;
    }
    const known = new Set(pin.text?.split('\n'));
    if ([...hosts].every(host => known.has(host))) this.#changed.delete(key);
    else this.#changed.set(key, hostLines(new Set([...known, ...hosts])));
    return new Set([...hosts].filter(host => known.has(host)));
  }

  /** Pins a definition: it was used for the first time, or a person approved it. */
  accept(subject: PinnedTool, definition: ToolDefinition): void {
    this.#put(subject, textOf(definition));
  }

  /** Pins the present definitions of tools that have changed. @returns how many */
  acceptChanged(isMeant: (pin: PinnedTool) => boolean): number {
    const meant = [...this.#changed].flatMap(([key, text]) => {
      const pin = this.#pins.get(key);
      return pin && isMeant(pin) ? [{ pin, text }] : [];
    });
    for (const { pin, text } of meant) this.#put(pin, text);
    return meant.length;
  }

  /** Removes pins: the next use of their tools counts as the first. @returns how many */
  forget(isMeant: (pin: PinnedTool) => boolean): number {
    const meant = [...this.#pins].filter(([, pin]) => isMeant(pin));
    for (const [key] of meant) {
      this.#pins.delete(key);
      this.#changed.delete(key);
      this.#forgotten.add(key);
    }
    if (meant.length > 0) {
      this.events.emit('accepted', undefined);
      this.#save();
    }
    return meant.length;
  }

  /** Reads what other processes have pinned meanwhile. */
  async refresh(): Promise<void> {
    const file = this.#file;
    if (file === undefined) return;
    await this.#writes
      .run(() => this.#read(file))
      .catch(error => this.#logger.warn('The pinned definitions could not be read again', { file, error }));
  }

  /** Resolves when everything is written. */
  async flush(): Promise<void> {
    await this.#writes.run(() => {});
  }

  #put({ origin, server, tool }: PinnedTool, text: string): void {
    const key = keyOf({ origin, server, tool });
    const sum = hashOf(text);
    const wasChanged = this.#changed.delete(key);
    if (this.#pins.get(key)?.sum === sum) return;
    this.#forgotten.delete(key);
    const kept = text.length <= MAX_TEXT_LENGTH ? { text } : {};
    this.#pins.set(key, { origin, server, tool, sum, ...kept, pinnedAt: new Date().toISOString() });
    const [oldest] = this.#pins.keys();
    if (this.#pins.size > MAX_PINS && oldest !== undefined) this.#pins.delete(oldest);
    if (wasChanged) this.events.emit('accepted', undefined);
    this.#save();
  }

  #save(): void {
    const file = this.#file;
    if (file === undefined) return;
    this.#writes
      .run(() => this.#write(file))
      .catch(error => this.#logger.error('The pinned definitions could not be stored', { file, error }));
  }

  /** Keeps what other processes have pinned meanwhile. */
  async #write(file: string): Promise<void> {
    const others = (await readPins(file)).filter(
      pin => !this.#pins.has(keyOf(pin)) && !this.#forgotten.has(keyOf(pin)),
    );
    const pins = [...others, ...this.#pins.values()].slice(-MAX_PINS);
    await replacePrivateFile(file, JSON.stringify({ version: 1, pins }));
  }

  async #read(file: string): Promise<void> {
    await preparePrivateFolder(file);
    for (const pin of await readPins(file)) if (!this.#forgotten.has(keyOf(pin))) this.#pins.set(keyOf(pin), pin);
  }
}

async function readPins(file: string): Promise<StoredPin[]> {
  const text = await readPrivateFile(file);
  if (text === undefined) return [];
  const stored = PinFile.safeParse(parse(text));
  if (!stored.success)
    throw new Error(`The pinned definitions in '${file}' are damaged: restore the file or remove it`);
  return stored.data.pins;
}

function hostLines(hosts: ReadonlySet<string>): string {
  return [...hosts].toSorted().join('\n');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function keyOf({ origin, server, tool }: PinnedTool): string {
  return JSON.stringify([origin, server, tool]);
}

/** Fields in a fixed order, so that their order on the wire is not a change. */
function textOf({ name, description = '', inputSchema = {}, annotations = {} }: ToolDefinition): string {
  const schema = JSON.stringify(sorted(inputSchema), null, 2);
  return `name: ${name}\ndescription: ${description}\nparameters: ${schema}\nannotations: ${JSON.stringify(sorted(annotations))}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}
