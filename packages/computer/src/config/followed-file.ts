import { type Logger, pause, SerialQueue } from '@a2c-smcp/core';
import { type LoadedConfig, loadConfigFile } from './file.ts';
import { watchFile } from './watch.ts';

/** A file that cannot be used may be half written. It is read once more after this time. */
const RETRY_MS = 500;

export interface FollowOptions {
  logger: Logger;
  /** Applies a change. */
  apply: (now: LoadedConfig, before: LoadedConfig) => Promise<void>;
  /** A change cannot be used; the former contents stay in force. */
  onError: (error: Error) => void;
}

/** The configuration file of a Computer, read again whenever it changes. */
export class FollowedFile {
  readonly #path: string;
  readonly #reads = new SerialQueue();
  readonly #closed = new AbortController();
  #current: LoadedConfig;
  #options: FollowOptions | undefined;

  private constructor(path: string, current: LoadedConfig) {
    this.#path = path;
    this.#current = current;
  }

  /** Throws when the file cannot be used. */
  static async open(path: string): Promise<FollowedFile> {
    return new FollowedFile(path, await loadConfigFile(path));
  }

  /** The contents that are in force. */
  get current(): LoadedConfig {
    return this.#current;
  }

  /** Applies every change from now on, until closed. */
  follow(options: FollowOptions): void {
    this.#options = options;
    this.#warn();
    const watcher = watchFile(this.#path, () => this.#changed(options));
    this.#closed.signal.addEventListener('abort', () => watcher.close());
  }

  /** Reads the file now and applies its changes. Throws when it cannot be used. */
  reload(): Promise<void> {
    return this.#reads.run(async () => {
      const now = await loadConfigFile(this.#path);
      if (this.#closed.signal.aborted) return;
      const before = this.#current;
      this.#current = now;
      if (now.ignored.join() !== before.ignored.join()) this.#warn();
      try {
        await this.#options?.apply(now, before);
      } catch (error) {
        this.#current = before;
        throw error;
      }
    });
  }

  close(): void {
    this.#closed.abort();
  }

  async #changed({ logger, onError }: FollowOptions): Promise<void> {
    const { signal } = this.#closed;
    const retry = async () => {
      logger.debug('The configuration file is read once more', { file: this.#path });
      await pause(RETRY_MS, signal);
      await this.reload();
    };
    try {
      await this.reload().catch(retry);
    } catch (error) {
      if (!signal.aborted) onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #warn(): void {
    const { ignored } = this.#current;
    if (ignored.length === 0) return;
    const message = 'Fields of the configuration file are not known here and have no effect';
    this.#options?.logger.warn(message, { file: this.#path, fields: ignored.join(', ') });
  }
}
