import { isUtf8 } from 'node:buffer';
import { isObject, parseJson } from '@a2c-smcp/core';
import type { Role } from '@a2c-smcp/protocol';
import { checkJson } from '../wire/channel.ts';
import { isShortText } from './checks.ts';
import { type Registration, readRegistration } from './registration.ts';

/** A message between nodes. Its body is passed on as it is. */
export type NodeMessage =
  /** A call to a Computer. The body is the event with its arguments, as JSON. */
  | { type: 'call'; id: number; from: string; event: string; office: string; computer: string; timeout: number }
  /** The body is the answer, as JSON. `missing` when the Computer is not there. */
  | { type: 'answer'; id: number; missing?: boolean }
  /** The answer to a call is not needed any more. */
  | { type: 'abandon'; id: number; from: string }
  /** A notification for the members of an office, or those of a role. The body is the event with its arguments, as JSON. */
  | { type: 'broadcast'; from: string; office: string; to?: Role }
  /** A question about the node, and its answer. The bodies are JSON; that of an answer is empty when there is none. */
  | { type: 'ask'; id: number; from: string }
  | { type: 'tell'; id: number }
  | { type: 'evict'; sid: string }
  | { type: 'disconnect'; sid: string }
  /** Redis has lost its data: all nodes register their members anew. */
  | { type: 'settling' }
  /** The body is the members of a node that closed, as JSON. Their offices are not yet notified. */
  | { type: 'gone' };

export type MessageOf<T extends NodeMessage['type']> = Extract<NodeMessage, { type: T }>;

export type Receive = (message: NodeMessage, body: Buffer) => void;

const [LINE_BREAK = 0, SPACE = 0, ZERO = 0] = Buffer.from('\n 0');
const MAX_LENGTH_DIGITS = 10;
/** Bytes of a message without its body. Two names of 256 characters need 3 KiB at most. */
const MAX_HEAD_BYTES = 8192;
/** Milliseconds, the longest delay of a timer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
const REQUEST = Buffer.from('["client:');
const NOTIFICATION = Buffer.from('["notify:');
const ARGUMENTS = Buffer.from('[');

/**
 * The bytes of the body, the message, a line break, and the body: it is not escaped into other JSON. Of an answer, which is
 * half of all messages, only the id is written.
 */
export function encode(message: NodeMessage, body: string | Buffer = ''): Buffer[] {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const isAnswer = message.type === 'answer' && !message.missing;
  return [Buffer.from(`${bytes.length} ${isAnswer ? message.id : JSON.stringify(message)}\n`), bytes];
}

export interface Decoding {
  receive: Receive;
  /** Called for a message that cannot be read; if its length is unknown, the ones behind it are lost too. */
  onMalformed: () => void;
  /** True if the sender is known to be a node: it has checked what it passes on. */
  isProven: boolean;
}

/** Reads messages that arrived together. */
export function decode(messages: Buffer, { receive, onMalformed, isProven }: Decoding): void {
  for (let start = 0; start < messages.length; ) {
    const space = messages.indexOf(SPACE, start);
    const end = messages.indexOf(LINE_BREAK, start);
    const next = end + 1 + lengthIn(messages, start, space);
    // Also when any of them is missing.
    if (!(start < space && space < end && end - start <= MAX_HEAD_BYTES && next <= messages.length)) {
      onMalformed();
      return;
    }
    const message = readHead(messages.toString('utf8', space, end));
    const body = messages.subarray(end + 1, next);
    if (message && (isProven || isBodyOf(message, body))) receive(message, body);
    else onMalformed();
    start = next;
  }
}

/** The number between two places; NaN when there is none. */
function lengthIn(messages: Buffer, start: number, end: number): number {
  if (end - start > MAX_LENGTH_DIGITS) return Number.NaN;
  let length = 0;
  for (let index = start; index < end; index++) {
    const digit = (messages[index] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    length = length * 10 + digit;
  }
  return length;
}

/** The members that a `gone` message lists. */
export function readGone(body: Buffer): Registration[] {
  try {
    const list = parseJson(String(body));
    return Array.isArray(list) ? list.flatMap(item => readRegistration(item) ?? []) : [];
  } catch {
    return [];
  }
}

function readHead(json: string): NodeMessage | undefined {
  try {
    const head = parseJson(json);
    if (typeof head === 'number') return isId(head) ? { type: 'answer', id: head } : undefined;
    return isHead(head) ? head : undefined;
  } catch {
    return undefined;
  }
}

/** Checked by hand: every call between nodes passes here twice. Names that no member has are harmless. */
function isHead(head: unknown): head is NodeMessage {
  if (!isObject(head)) return false;
  switch (head.type) {
    case 'call':
      return (
        isId(head.id) &&
        isShortText(head.from) &&
        isShortText(head.event) &&
        isShortText(head.office) &&
        isShortText(head.computer) &&
        isTimeout(head.timeout)
      );
    case 'answer':
    case 'tell':
      return isId(head.id);
    case 'ask':
    case 'abandon':
      return isId(head.id) && isShortText(head.from);
    case 'broadcast':
      return isShortText(head.from) && isShortText(head.office) && isAudience(head.to);
    case 'evict':
    case 'disconnect':
      return isShortText(head.sid);
    case 'gone':
    case 'settling':
      return true;
    default:
      return false;
  }
}

function isAudience(value: unknown): boolean {
  return value === undefined || value === 'agent' || value === 'computer';
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

function isTimeout(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value <= MAX_TIMEOUT_MS;
}

/** True if peers can be sent the body: they disconnect when they receive broken JSON. */
function isBodyOf(message: NodeMessage, body: Buffer): boolean {
  switch (message.type) {
    case 'call':
      return isEvent(body, REQUEST);
    case 'broadcast':
      return isEvent(body, NOTIFICATION);
    case 'answer':
      return message.missing === true || isEvent(body, ARGUMENTS);
    default:
      return true;
  }
}

function isEvent(body: Buffer, beginning: Buffer): boolean {
  for (let index = 0; index < beginning.length; index++) if (body[index] !== beginning[index]) return false;
  return isUtf8(body) && isJson(body);
}

function isJson(body: Buffer): boolean {
  try {
    checkJson(body, 0);
    return true;
  } catch {
    return false;
  }
}
