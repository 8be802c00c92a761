import { readFileSync } from 'node:fs';
import { rounded } from '../report/units.ts';

/** How many processes a number of members needs on this machine. */
export interface ScalePlan {
  members: number;
  /** Node processes in each of the two halves. One half can have all members, when the other one is killed. */
  nodesPerHalf: number;
  /** Processes that play the members. */
  crowds: number;
  /** The needs of this number of members, and the limits of this machine, as a sentence. */
  needs: string;
}

/** Memory of a member in its node, its client, the kernel and Redis. */
const MEMBER_KIB = 60;
/** Memory of a process without members. */
const PROCESS_KIB = 100 * 1024;
/** Descriptors of a process beside those of members. */
const OTHER_DESCRIPTORS = 500;
/** Processes that play members, at least: several cores then work for them. */
const MIN_CROWDS = 4;
/** Members below which a run says nothing. */
const MIN_MEMBERS = 1000;

/** The plan for as many members as wanted, or as memory allows. Undefined when that are too few. */
export function planScale(wanted: number): ScalePlan | undefined {
  const descriptors = readLimit('/proc/self/limits', /Max open files\s+\d+\s+(\d+)/);
  const memory = readLimit('/proc/meminfo', /MemAvailable:\s+(\d+)/);
  const perProcess = descriptors - OTHER_DESCRIPTORS;
  const processesFor = (members: number) => Math.ceil(members / perProcess);
  const kibibytesFor = (members: number) =>
    members * MEMBER_KIB + (processesFor(members) * 3 + MIN_CROWDS) * PROCESS_KIB;
  let members = Math.floor(wanted / 100) * 100;
  while (members >= MIN_MEMBERS && (perProcess < MIN_MEMBERS || kibibytesFor(members) > memory)) members -= 100;
  if (members < MIN_MEMBERS) return undefined;
  const nodesPerHalf = processesFor(members);
  const crowds = Math.max(MIN_CROWDS, processesFor(members));
  const needs =
    `${rounded(members)} members need ${gigabytes(kibibytesFor(members))} of memory (available: ${gigabytes(memory)}) and ` +
    `${nodesPerHalf} times ${rounded(Math.ceil(members / nodesPerHalf) + OTHER_DESCRIPTORS)} descriptors for half of the nodes ` +
    `(\`ulimit -Hn\`: ${rounded(descriptors)}).`;
  return { members, nodesPerHalf, crowds, needs };
}

/** Bytes of all objects of the kernel. */
export function kernelMemory(): number {
  return readLimit('/proc/meminfo', /Slab:\s+(\d+)/) * 1024;
}

function readLimit(file: string, pattern: RegExp): number {
  return Number(pattern.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
}

function gigabytes(kibibytes: number): string {
  return `${(kibibytes / 1024 ** 2).toFixed(1)} GiB`;
}
