import { setTimeout as delay } from 'node:timers/promises';
import { backoff } from '@a2c-smcp/core';
import type { WebSocket } from 'ws';
import { obey, settings } from './obey.ts';
import { answerThin, ComeLater, joinThin, thinCaller } from './thin-peer.ts';

export interface ScaleCrowdSettings {
  /** Nodes; the offices are divided among them. */
  urls: string[];
  /** The address that connections come from. */
  address: string;
  /** The number of the first office. */
  first: number;
  offices: number;
  /** True if members that were cut off wait as our clients do, or try again at once. */
  spreads: boolean;
}

/** `join` and `back` resolve when all are members; `calls` sends so many per second for some seconds. */
export type ScaleRequest = 'join' | 'back' | { calls: number; seconds: number };

export interface ScaleJoins {
  /** Of all members, since the start. */
  attempts: number;
  /** When all were members, in milliseconds since 1970. */
  completeAt: number;
}

export interface ScaleCalls {
  /** Milliseconds. */
  latencies: number[];
  lost: number;
}

const JOINING_AT_ONCE = 50;
const CALL_TIMEOUT_MS = 10_000;
const IMPATIENT_MS = 20;

const { urls, address, first, offices, spreads } = settings<ScaleCrowdSettings>();
const callers = new Map<number, (size: number, done: () => void) => void>();
let joined = 0;
let attempts = 0;
let completeAt = 0;
let onComplete: (() => void) | undefined;

obey('ready', async (request: ScaleRequest) => {
  if (typeof request === 'object') return call(request);
  if (request === 'join') await joinAll();
  else if (joined < offices * 2) {
    await new Promise<void>(resolve => {
      onComplete = resolve;
    });
  }
  return { attempts, completeAt } satisfies ScaleJoins;
});

async function joinAll(): Promise<void> {
  for (let start = 0; start < offices; start += JOINING_AT_ONCE) {
    const some = Array.from(
      { length: Math.min(JOINING_AT_ONCE, offices - start) },
      (_, index) => first + start + index,
    );
    await Promise.all(some.flatMap(office => [enter(office, 'computer'), enter(office, 'agent')]));
  }
}

/** Enters an office, and again whenever the connection ends. */
async function enter(office: number, role: 'agent' | 'computer', isBack = false): Promise<void> {
  const identity = {
    role,
    name: role === 'agent' ? 'a' : 'c',
    office: `office-${office}`,
    instance: `${role}-${office}`,
  };
  if (isBack) await delay(spreads ? backoff(0, { first: 100, longest: 800 }) : 0);
  for (let attempt = 0; ; attempt++) {
    attempts += 1;
    // The other nodes take the members of one that is gone.
    const url = urls[(office + attempt + Number(isBack)) % urls.length] ?? '';
    try {
      return keep(await joinThin(url, identity, address), office, role);
    } catch (error) {
      const seconds = error instanceof ComeLater ? error.seconds : 0;
      const pause = Math.max(backoff(attempt, { first: 100, longest: 1500 }), seconds * 1000 * (1 + Math.random() / 2));
      await delay(spreads ? pause : IMPATIENT_MS);
    }
  }
}

function keep(socket: WebSocket, office: number, role: 'agent' | 'computer'): void {
  joined += 1;
  if (joined === offices * 2) {
    completeAt = Date.now();
    onComplete?.();
  }
  if (role === 'computer') answerThin(socket);
  else callers.set(office, thinCaller(socket, 'a', false));
  socket.once('close', () => {
    joined -= 1;
    if (role === 'agent') callers.delete(office);
    void enter(office, role, true);
  });
}

async function call({ calls, seconds }: { calls: number; seconds: number }): Promise<ScaleCalls> {
  const latencies: number[] = [];
  const pending: Promise<void>[] = [];
  let lost = 0;
  const begun = performance.now();
  for (let count = 0; count < calls * seconds; count++) {
    const early = begun + (count * 1000) / calls - performance.now();
    if (early > 1) await delay(early);
    const caller = callers.get(first + Math.floor(Math.random() * offices));
    const sent = performance.now();
    if (!caller) lost += 1;
    else
      pending.push(
        answered(caller).then(isAnswered => void (isAnswered ? latencies.push(performance.now() - sent) : lost++)),
      );
  }
  await Promise.all(pending);
  return { latencies, lost };
}

async function answered(caller: (size: number, done: () => void) => void): Promise<boolean> {
  const timeout = new AbortController();
  const isLate = delay(CALL_TIMEOUT_MS, false, { signal: timeout.signal }).catch(() => false);
  const isAnswered = await Promise.race([new Promise<boolean>(resolve => caller(200, () => resolve(true))), isLate]);
  timeout.abort();
  return isAnswered;
}
