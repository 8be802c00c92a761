import { setTimeout as delay } from 'node:timers/promises';
import { backoff } from '@a2c-smcp/core';
import type { WebSocket } from 'ws';
import { obey, settings } from './obey.ts';
import { answerThin, ComeLater, joinThin, resultOf } from './thin-peer.ts';

export interface ScaleCrowdSettings {
  /** Nodes of the two halves, which are equally many. An office has one node in each. */
  halves: [string[], string[]];
  /** The first three numbers of the addresses that connections come from. */
  network: string;
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
  /** Milliseconds that each member which was cut off was away. */
  absences: number[];
  /** Members that were not back in time. */
  missing: number;
}

export interface ScaleCalls {
  /** Milliseconds of calls between two members of one node. */
  inside: number[];
  /** Milliseconds of calls from node to node. */
  across: number[];
  /** Calls that were sent and got no result: their connection ended, they were refused, or nothing came in time. */
  lost: number;
  /** Calls that could not be sent, because their Agent was cut off. */
  unsent: number;
}

interface Seat {
  role: 'agent' | 'computer';
  office: number;
  /** The half whose node it is at, or tries next. */
  half: 0 | 1;
}

/** Ends a call: true with a result. */
type Done = (isAnswered: boolean) => void;

const JOINING_AT_ONCE = 50;
const CALL_TIMEOUT_MS = 10_000;
const IMPATIENT_MS = 20;
/** The pauses of our clients: the first one after a loss, and those after a refusal. */
const LOST_PAUSES_MS = { first: 100, longest: 800 };
const REFUSED_PAUSES_MS = { first: 200, longest: 1500 };
/** One of so many offices has its Agent at a node of the other half. */
const SPLIT_EVERY = 10;
/** Addresses that a crowd connects from. With thousands of members on one, the kernel takes milliseconds to find a free port. */
const ADDRESSES = 50;
/** Milliseconds after which members that are not back are counted as missing. */
const BACK_TIMEOUT_MS = 240_000;
const ANSWER = JSON.stringify(resultOf(200)).slice(0, 20);

const { halves, network, first, offices, spreads } = settings<ScaleCrowdSettings>();
const callers = new Map<number, (done: Done) => void>();
let joined = 0;
let attempts = 0;
let completeAt = 0;
const absences: number[] = [];
let onComplete: (() => void) | undefined;

obey('ready', async (request: ScaleRequest) => {
  if (typeof request === 'object') return call(request);
  if (request === 'join') await joinAll();
  else if (joined < offices * 2) {
    await new Promise<void>(resolve => {
      onComplete = resolve;
      setTimeout(resolve, BACK_TIMEOUT_MS);
    });
  }
  return { attempts, completeAt, absences, missing: offices * 2 - joined } satisfies ScaleJoins;
});

async function joinAll(): Promise<void> {
  for (let start = 0; start < offices; start += JOINING_AT_ONCE) {
    const some = Array.from(
      { length: Math.min(JOINING_AT_ONCE, offices - start) },
      (_, index) => first + start + index,
    );
    await Promise.all(some.flatMap(office => [enter(seatOf(office, 'computer')), enter(seatOf(office, 'agent'))]));
  }
}

function seatOf(office: number, role: Seat['role']): Seat {
  const home = office % 2;
  return { role, office, half: (role === 'agent' && isSplit(office) ? 1 - home : home) as 0 | 1 };
}

function isSplit(office: number): boolean {
  return Math.floor(office / 2) % SPLIT_EVERY === 0;
}

function addressOf(office: number): string {
  return `${network}.${(office % ADDRESSES) + 1}`;
}

/** As a load balancer chooses it that hashes the office. */
function nodeOf({ office, half }: Seat): string {
  const nodes = halves[half];
  return nodes[Math.floor(office / 2) % nodes.length] ?? '';
}

/** Enters an office, and again whenever the connection ends. */
async function enter(seat: Seat, lostAt?: number): Promise<void> {
  const { role, office } = seat;
  const identity = { role, name: role[0] ?? '', office: `office-${office}`, instance: `${role}-${office}` };
  if (lostAt !== undefined) await delay(spreads ? backoff(0, LOST_PAUSES_MS) : 0);
  for (let attempt = 1; ; attempt++) {
    attempts += 1;
    try {
      const socket = await joinThin(nodeOf(seat), identity, addressOf(office));
      if (lostAt !== undefined) absences.push(performance.now() - lostAt);
      return keep(socket, seat);
    } catch (error) {
      // A node that is busy is there; one that cannot be reached is not.
      const seconds = error instanceof ComeLater ? error.seconds : 0;
      if (!(error instanceof ComeLater)) moveOn(seat);
      const pause = Math.max(backoff(attempt, REFUSED_PAUSES_MS), seconds * 1000 * (1 + Math.random() / 2));
      await delay(spreads ? pause : IMPATIENT_MS);
    }
  }
}

function moveOn(seat: Seat): void {
  seat.half = seat.half === 0 ? 1 : 0;
}

function keep(socket: WebSocket, seat: Seat): void {
  const { office, role } = seat;
  joined += 1;
  if (joined === offices * 2) {
    completeAt = Date.now();
    onComplete?.();
  }
  if (role === 'computer') answerThin(socket);
  else callers.set(office, callerOf(socket));
  socket.once('close', () => {
    joined -= 1;
    if (role === 'agent') callers.delete(office);
    moveOn(seat);
    void enter(seat, performance.now());
  });
}

function callerOf(socket: WebSocket): (done: Done) => void {
  const pending = new Map<string, Done>();
  let last = 0;
  socket.on('message', (data: Buffer) => {
    const [, id = '', answer] = /^43\/smcp,(\d+)\[(.{0,20})/.exec(data.toString('latin1', 0, 60)) ?? [];
    const done = pending.get(id);
    pending.delete(id);
    done?.(answer === ANSWER);
  });
  socket.once('close', () => {
    for (const done of pending.values()) done(false);
  });
  return done => {
    const id = String(++last);
    pending.set(id, done);
    const padding = 'x'.repeat(100);
    const body = `"agent":"a","computer":"c","req_id":"${id}","tool_name":"echo-200","timeout":60,"params":{"text":"${padding}"}`;
    socket.send(`42/smcp,${id}["client:tool_call",{${body}}]`);
  };
}

async function call({ calls, seconds }: { calls: number; seconds: number }): Promise<ScaleCalls> {
  const taken: ScaleCalls = { inside: [], across: [], lost: 0, unsent: 0 };
  const pending: Promise<void>[] = [];
  const begun = performance.now();
  for (let count = 0; count < calls * seconds; count++) {
    const early = begun + (count * 1000) / calls - performance.now();
    if (early > 1) await delay(early);
    const office = first + Math.floor(Math.random() * offices);
    const caller = callers.get(office);
    if (caller) pending.push(time(caller, isSplit(office) ? taken.across : taken.inside, taken));
    else taken.unsent += 1;
  }
  await Promise.all(pending);
  return taken;
}

async function time(caller: (done: Done) => void, latencies: number[], taken: ScaleCalls): Promise<void> {
  const sent = performance.now();
  const isAnswered = await new Promise<boolean>(resolve => {
    const timer = setTimeout(resolve, CALL_TIMEOUT_MS, false);
    caller(outcome => {
      clearTimeout(timer);
      resolve(outcome);
    });
  });
  if (isAnswered) latencies.push(performance.now() - sent);
  else taken.lost += 1;
}
