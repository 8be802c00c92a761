import { eventually } from '../eventually.ts';

export interface StreamFrame<T> {
  id: string;
  topic: string;
  value: T;
}

/** Reads server-sent events, as a script does. */
export class EventStream<T> implements Disposable {
  readonly frames: StreamFrame<T>[] = [];
  isEnded = false;
  readonly #abort = new AbortController();

  private constructor() {}

  static async open<T>(url: string, headers: Record<string, string>): Promise<EventStream<T>> {
    const stream = new EventStream<T>();
    const response = await fetch(url, { headers, signal: stream.#abort.signal });
    if (response.status !== 200 || !response.body) throw new Error(`HTTP ${response.status} ${await response.text()}`);
    void stream.#read(response.body).catch(() => {});
    return stream;
  }

  /** Resolves when there are so many frames. */
  async has(count: number): Promise<StreamFrame<T>[]> {
    await eventually(() => {
      if (this.frames.length < count) throw new Error(`${this.frames.length} frames, not ${count}`);
    });
    return this.frames;
  }

  [Symbol.dispose](): void {
    this.#abort.abort();
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) this.#take(part);
    }
    this.isEnded = true;
  }

  #take(part: string): void {
    const fields = Object.fromEntries(part.split('\n').map(line => line.split(/: (.*)/s) as [string, string]));
    if (fields.data === undefined) return;
    this.frames.push({ id: fields.id ?? '', ...JSON.parse(fields.data) });
  }
}
