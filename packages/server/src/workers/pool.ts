import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { backoff, type Logger, PendingCalls, settle } from '@a2c-smcp/core';
import { Broker } from '../broker/broker.ts';
import { DEFAULT_CLUSTER, KeySpace } from '../cluster/key-space.ts';
import { AddressBook } from '../http/addresses.ts';
import type { WorkerReport } from '../inlet.ts';
import { Door } from './door.ts';
import type { Changes, FromWorker, ToWorker } from './messages.ts';
import { pickWorker, type Route } from './route.ts';

export interface WorkerPoolOptions {
  /** The words that start a worker, which opens a `WorkerLink`. */
  program: readonly string[];
  env: NodeJS.ProcessEnv;
  /** How many workers there are. */
  count: number;
  /** Sent to every worker. */
  settings: unknown;
  host: string;
  port: number;
  /** The HTTP path of Engine.IO, with a slash at its end. */
  path: string;
  tls: boolean;
  /** The address of a Redis, where the workers are nodes beside those of other machines. @default a broker of their own */
  redis?: string | undefined;
  /** The name of the cluster. @default 'main' */
  cluster?: string | undefined;
  /** Connections from one address. */
  connectionsPerAddress: number;
  /** Milliseconds in which calls in flight may end when the Server closes. */
  gracePeriod: number;
  /** Called when clients can connect, before the workers know. */
  onListening?: (url: string) => void;
  logger: Logger;
}

/** Milliseconds between a worker that ended and the one that replaces it. */
const RESTART = { first: 100, longest: 10_000 };
/** Milliseconds after which a worker counts as stable. */
const STABLE_MS = 60_000;
/** Milliseconds in which a worker reports. */
const REPORT_TIMEOUT_MS = 2000;
/** Milliseconds that a worker has to end, beside the grace period. */
const END_TIMEOUT_MS = 5000;

/** A worker that could not begin, for a reason that its settings have. */
export class WorkerError extends TypeError {}

interface Worker {
  readonly index: number;
  readonly process: ChildProcess;
  readonly started: number;
  readonly addresses: AddressBook;
  /** Its name among the nodes, once it is ready. */
  node?: string;
  get connections(): number;
}

/** Several processes that are one Server: one port, one node each, and what they know of each other. */
export class WorkerPool implements AsyncDisposable {
  readonly #options: WorkerPoolOptions;
  readonly #broker: Broker | undefined;
  /** By index. A place is empty while its worker is to be started again. */
  readonly #workers = new Map<number, Worker>();
  /** Restarts in a row, by index. */
  readonly #failures = new Map<number, number>();
  /** Nodes that have ended and whose members no worker could remove yet. */
  #lost: string[] = [];
  readonly #reports = new PendingCalls<(report?: WorkerReport) => void>({ onTimeout: done => done() });
  readonly #timers = new Set<NodeJS.Timeout>();
  #door?: Door;
  #closing?: Promise<void>;

  private constructor(options: WorkerPoolOptions, broker: Broker | undefined) {
    this.#options = options;
    this.#broker = broker;
  }

  /** Starts all workers, then opens the port. Rejects when either cannot be done. */
  static async open(options: WorkerPoolOptions): Promise<WorkerPool> {
    const { redis, cluster = DEFAULT_CLUSTER } = options;
    const broker = redis === undefined ? await Broker.open(new KeySpace(0, cluster)) : undefined;
    const pool = new WorkerPool(options, broker);
    try {
      await Promise.all(Array.from({ length: options.count }, (_, index) => pool.#start(index)));
      pool.#door = await Door.open({
        ...options,
        maxPerAddress: options.connectionsPerAddress,
        onConnection: (socket, route, head) => pool.#handOver(socket, route, head),
      });
      options.onListening?.(pool.url);
      pool.#tellAll({ type: 'listening', url: pool.url });
      return pool;
    } catch (error) {
      await pool.close();
      throw error;
    }
  }

  /** Where clients connect. */
  get url(): string {
    return this.#door?.url ?? '';
  }

  /** Accepts no more connections, and waits until all workers have given their calls the grace period. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#door?.close();
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all([...this.#workers.values()].map(worker => this.#end(worker)));
    await this.#broker?.close();
  }

  async #end({ process: child }: Worker): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    tell(child, { type: 'stop' });
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#options.gracePeriod + END_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  }

  get #ready(): Worker[] {
    return [...this.#workers.values()]
      .filter(({ node, process: { connected } }) => node !== undefined && connected)
      .toSorted((a, b) => a.index - b.index);
  }

  /** Resolves when the worker is ready. Rejects when it cannot begin. */
  async #start(index: number): Promise<void> {
    const { settings, logger } = this.#options;
    const child = this.#spawn(index);
    const addresses = new AddressBook();
    const worker: Worker = {
      ...{ index, process: child, started: performance.now(), addresses },
      get connections() {
        return addresses.total;
      },
    };
    this.#workers.set(index, worker);
    const redis = this.#options.redis ?? this.#broker?.path ?? '';
    const lost = this.#lost.splice(0);
    const crowd = addedUp([...this.#workers.values()].map(each => Object.fromEntries(each.addresses.entries())));
    tell(child, { type: 'begin', index, redis, settings, crowd, lost });
    await settle<void>((resolve, reject) => {
      child.on('message', (message: FromWorker) => {
        if (message.type === 'failed') {
          reject(message.isUsage ? new WorkerError(message.message) : new Error(message.message));
        } else {
          this.#receive(worker, message);
          if (message.type === 'ready') resolve();
        }
      });
      child.on('error', error => {
        logger.error('A worker cannot be reached', { worker: index, reason: error.message });
        reject(error);
        // Without a process it has no end.
        if (child.pid === undefined) this.#replace(worker, error.message);
      });
      child.on('exit', (code, signal) => {
        reject(new Error(`Worker ${index} ended before it was ready: ${signal ?? `exit code ${code}`}`));
        this.#replace(worker, signal ?? code ?? 0);
      });
      return undefined;
    });
  }

  /** Node throws for want of memory or descriptors, and reports other failures by an event. */
  #spawn(index: number): ChildProcess {
    const { program, env } = this.#options;
    const [command = '', ...args] = program;
    try {
      return spawn(command, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    } catch (error) {
      this.#startAgain(index, { started: performance.now(), reason: (error as Error).message });
      throw error;
    }
  }

  #receive(worker: Worker, message: FromWorker): void {
    switch (message.type) {
      case 'ready':
        worker.node = message.node;
        this.#logReady(worker);
        if (this.#door) tell(worker.process, { type: 'listening', url: this.url });
        break;
      case 'crowd':
        this.#count(worker, message.changes);
        break;
      case 'report':
        this.#reports.take(message.id)?.(message.report);
        break;
      case 'reports':
        void this.#askOthers(worker, message.id);
        break;
    }
  }

  #logReady({ index, process: { pid }, node }: Worker): void {
    this.#options.logger.info('A worker is ready', { worker: index, pid, node });
  }

  /** Lets the other workers know how many connections this one has. */
  #count(worker: Worker, changes: Changes): void {
    for (const [address, change] of Object.entries(changes)) worker.addresses.change(address, change);
    this.#shareCrowd(changes, worker);
  }

  async #askOthers(worker: Worker, id: number): Promise<void> {
    const others = this.#ready.filter(other => other !== worker);
    const ask = (other: Worker) =>
      new Promise<WorkerReport | undefined>(resolve => {
        tell(other.process, { type: 'report', id: this.#reports.add(resolve, REPORT_TIMEOUT_MS) });
      });
    const reports = await Promise.all(others.map(ask));
    tell(worker.process, { type: 'reports', id, reports: reports.filter(report => report !== undefined) });
  }

  #handOver(socket: Socket, route: Route, head: Buffer): void {
    const worker = pickWorker(this.#ready, route);
    if (!worker) {
      socket.destroy();
      return;
    }
    tell(worker.process, { type: 'connection', head: head.toString('latin1') }, socket);
  }

  /** Starts a worker in the place of one that ended, unless all are to end. */
  #replace(worker: Worker, reason: string | number): void {
    const { index, node, addresses, started } = worker;
    if (this.#workers.get(index) !== worker) return;
    this.#workers.delete(index);
    const departed = Object.fromEntries([...addresses.entries()].map(([address, count]) => [address, -count]));
    this.#shareCrowd(departed);
    if (node !== undefined && this.#ready.length === 0) this.#lost.push(node);
    else if (node !== undefined) this.#tellAll({ type: 'lost', node });
    this.#startAgain(index, { started, reason });
  }

  /** Starts a worker after a pause. One of those that the pool begins with is the caller's to handle. */
  #startAgain(index: number, { started, reason }: { started: number; reason: string | number }): void {
    if (this.#closing || !this.#door) return;
    const failures = performance.now() - started > STABLE_MS ? 0 : (this.#failures.get(index) ?? 0);
    this.#failures.set(index, failures + 1);
    const pause = reason === 0 ? 0 : Math.round(backoff(failures, RESTART));
    this.#options.logger.error('A worker has ended and is started again', { worker: index, reason, pause });
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#start(index).catch((error: Error) => {
        this.#options.logger.error('A worker could not be started', { worker: index, reason: error.message });
      });
    }, pause);
    this.#timers.add(timer);
  }

  /** Also with workers that are not ready yet: they know the connections of the time when they were started. */
  #shareCrowd(changes: Changes, except?: Worker): void {
    for (const worker of this.#workers.values()) {
      if (worker !== except) tell(worker.process, { type: 'crowd', changes });
    }
  }

  #tellAll(message: ToWorker): void {
    for (const { process: child } of this.#ready) tell(child, message);
  }
}

/** A message to a worker that is ending is lost; its 'exit' event follows. */
function tell(child: ChildProcess, message: ToWorker, socket?: Socket): void {
  if (!child.connected) socket?.destroy();
  else child.send(message, socket, error => error && socket?.destroy());
}

function addedUp(all: readonly Changes[]): Changes {
  const sum: Changes = {};
  for (const [address, count] of all.flatMap(changes => Object.entries(changes))) {
    sum[address] = (sum[address] ?? 0) + count;
  }
  return sum;
}
