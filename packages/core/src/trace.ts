import { clip } from './bounds.ts';

/** A frame on the wire, as Engine.IO writes it: `42/smcp,7["client:get_tools",{…}]`. Credentials are masked. */
export interface TracedFrame {
  /** The sender or receiver, such as `server` or `agent 'a'`. */
  at: string;
  direction: 'in' | 'out';
  transport: string;
  /** The Engine.IO id of the connection, the same on both ends. A peer does not know it before the first frame. */
  connection: string;
  text: string;
}

/** Called with every frame of a connection. */
export type Trace = (frame: TracedFrame) => void;

/** The digits by which frames begin, by the names that Engine.IO gives them. */
const TYPES = ['open', 'close', 'ping', 'pong', 'message', 'upgrade', 'noop'];

/** A frame with this start carries credentials. */
const CONNECT = /^40\/smcp,(?=\{)/;

/** Characters of a frame that are written to standard error. */
const MAX_TEXT_LENGTH = 2000;

/** The part of Node that a browser has not. */
interface Node {
  process?: { env: Record<string, string | undefined>; stderr: { write(text: string): unknown } };
}

/** The trace that the variable `A2C_TRACE=wire` asks for: one line per frame on standard error. */
export function traceFromEnvironment(): Trace | undefined {
  const { process } = globalThis as Node;
  if (!process?.env.A2C_TRACE?.split(',').includes('wire')) return undefined;
  return ({ at, direction, transport, connection, text }) => {
    const arrow = direction === 'in' ? '<-' : '->';
    const time = new Date().toISOString().slice(11, 23);
    process.stderr.write(`${time} ${at} ${arrow} ${connection || '-'} ${transport} ${printable(text)}\n`);
  };
}

/** A frame as a text, without the credentials that a CONNECT carries. */
export function frameText(frame: string): string {
  const head = CONNECT.exec(frame)?.[0];
  return head === undefined ? frame : `${head}${maskedValues(frame.slice(head.length))}`;
}

/** A packet of Engine.IO as the frame that it becomes. */
export function packetText({ type, data }: { type: string; data?: unknown }): string {
  return frameText(`${TYPES.indexOf(type)}${typeof data === 'string' ? data : data === undefined ? '' : '[bytes]'}`);
}

function maskedValues(json: string): string {
  try {
    const fields = Object.keys(JSON.parse(json));
    return JSON.stringify(Object.fromEntries(fields.map(name => [name, name === 'sid' ? '…' : '***'])));
  } catch {
    return '***';
  }
}

/** On one line, without control characters. */
function printable(text: string): string {
  return clip(text, MAX_TEXT_LENGTH).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, each => {
    const code = each.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
