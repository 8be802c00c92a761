import type { Server as HttpServer } from 'node:http';
import { Socket } from 'node:net';
import { PendingCalls } from '@a2c-smcp/core';
import { AddressBook } from '../http/addresses.ts';
import type { Inlet, WorkerReport, WorkerServer } from '../inlet.ts';
import { type Changes, type FromWorker, type ToWorker, tagOf } from './messages.ts';

type Begin = Extract<ToWorker, { type: 'begin' }>;

/** Milliseconds in which the other workers report. Longer than one of them has. */
const REPORTS_TIMEOUT_MS = 3000;
/** Milliseconds after which changes of the connections are sent. */
const COUNT_DELAY_MS = 20;

/** A worker's end of a `WorkerPool`. There is one for a process. */
export class WorkerLink implements Inlet {
  readonly index: number;
  readonly tag: string;
  /** For the option `redis`. */
  readonly redis: string;
  /** Those of the `WorkerPool`. */
  readonly settings: unknown;
  readonly elsewhere = new AddressBook();
  /** Resolves when clients can connect. */
  readonly listening: Promise<void>;
  /** Fires when the worker should end: the pool closes, or its process is gone. */
  readonly signal: AbortSignal;
  readonly #lost: readonly string[];
  readonly #stop = new AbortController();
  readonly #pending = new PendingCalls<(reports: WorkerReport[]) => void>({ onTimeout: done => done([]) });
  #url = '';
  #onListening: () => void = () => {};
  #changes: Changes = {};
  #counting?: NodeJS.Timeout | undefined;
  #server?: WorkerServer;

  private constructor({ index, redis, settings, crowd, lost }: Begin) {
    this.index = index;
    this.tag = tagOf(index);
    this.redis = redis;
    this.settings = settings;
    this.#lost = lost;
    this.signal = this.#stop.signal;
    this.listening = new Promise(resolve => {
      this.#onListening = resolve;
    });
    for (const [address, count] of Object.entries(crowd)) this.elsewhere.change(address, count);
  }

  /** Waits for the first message of the process that started this one. */
  static open(): Promise<WorkerLink> {
    if (!process.send) throw new TypeError('This process is no worker: a2c server --workers starts them');
    return new Promise(resolve => {
      process.once('message', (begin: Begin) => {
        const link = new WorkerLink(begin);
        process.on('message', (message: ToWorker, handle: unknown) => link.#receive(message, handle));
        process.on('disconnect', () => link.#stop.abort());
        resolve(link);
      });
    });
  }

  get url(): string {
    return this.#url;
  }

  count(address: string, change: number): void {
    this.#changes[address] = (this.#changes[address] ?? 0) + change;
    this.#counting ??= setTimeout(() => {
      this.#counting = undefined;
      this.#tell({ type: 'crowd', changes: this.#changes });
      this.#changes = {};
    }, COUNT_DELAY_MS).unref();
  }

  open(server: WorkerServer): void {
    this.#server = server;
    for (const node of this.#lost) void server.bury(node).catch(() => {});
    this.#tell({ type: 'ready', node: server.node });
  }

  async reports(): Promise<WorkerReport[]> {
    const others = new Promise<WorkerReport[]>(resolve => {
      this.#tell({ type: 'reports', id: this.#pending.add(resolve, REPORTS_TIMEOUT_MS) });
    });
    const own = this.#server ? [await this.#server.report()] : [];
    return [...own, ...(await others)];
  }

  /** Tells why this worker cannot begin. @param isUsage when the settings are the reason */
  fail(message: string, isUsage: boolean): Promise<void> {
    return new Promise(resolve => {
      process.send?.({ type: 'failed', message, isUsage } satisfies FromWorker, () => resolve());
    });
  }

  /** Lets the process end: it no longer listens to the one that started it. */
  close(): void {
    clearTimeout(this.#counting);
    process.removeAllListeners('disconnect');
    if (process.connected) process.disconnect();
  }

  #receive(message: ToWorker, handle: unknown): void {
    switch (message.type) {
      case 'connection':
        if (handle instanceof Socket) this.#take(handle, message.head);
        break;
      case 'listening':
        this.#url = message.url;
        this.#onListening();
        break;
      case 'crowd':
        for (const [address, change] of Object.entries(message.changes)) this.elsewhere.change(address, change);
        break;
      case 'lost':
        void this.#server?.bury(message.node).catch(() => {});
        break;
      case 'report':
        void this.#report(message.id);
        break;
      case 'reports':
        this.#pending.take(message.id)?.(message.reports);
        break;
      case 'stop':
        this.#stop.abort();
        break;
      case 'begin':
        break;
    }
  }

  /** Gives a connection to the HTTP server, which reads what was read of it as if it arrived now. */
  #take(socket: Socket, head: string): void {
    const http: HttpServer | undefined = this.#server?.http;
    if (!http) {
      socket.destroy();
      return;
    }
    socket.setNoDelay(true);
    http.emit('connection', socket);
    if (head !== '') socket.emit('data', Buffer.from(head, 'latin1'));
    socket.resume();
  }

  async #report(id: number): Promise<void> {
    const report = await this.#server?.report();
    if (report) this.#tell({ type: 'report', id, report });
  }

  /** A message to a process that is gone is lost; `signal` fires. */
  #tell(message: FromWorker): void {
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  }
}
