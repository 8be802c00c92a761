import { clip } from './bounds.ts';

/** Receives log lines. `console` is one; without one nothing is printed. */
export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** The default of every `logger` option. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Characters of one text in a log line. Peers choose names, ids and event names. */
const MAX_TEXT_LENGTH = 500;
/** Characters of a stack trace. */
const MAX_STACK_LENGTH = 4000;
const MAX_ITEMS = 20;
const MAX_DEPTH = 3;
/** Lines of one message within a second; peers can cause any number of them. */
const WARNINGS_PER_SECOND = 100;
const INFOS_PER_SECOND = 1000;
const MAX_KINDS = 1000;

const guarded = new WeakSet<Logger>([silentLogger]);

/**
 * A logger that cannot harm its caller, whatever it is given: it never throws, passes on texts and structures of bounded
 * size only, and thins out floods of one warning, whose number it reports. Every `logger` option goes through it.
 */
export function guardLogger(logger: Logger = silentLogger): Logger {
  if (guarded.has(logger)) return logger;
  const log =
    (level: keyof Logger) =>
    (message: string, fields?: Record<string, unknown>): void => {
      try {
        const bounded = clip(message, MAX_TEXT_LENGTH);
        if (fields === undefined) logger[level](bounded);
        else logger[level](bounded, boundedFields(fields));
      } catch {
        // A log that cannot be written, to a full disk for example, is lost.
      }
    };
  const safe = {
    debug: log('debug'),
    info: thinned(log('info'), INFOS_PER_SECOND),
    warn: thinned(log('warn'), WARNINGS_PER_SECOND),
    error: log('error'),
  };
  guarded.add(safe);
  return safe;
}

/** Passes on the first lines of each message in a second, and the number of the others with the next that passes. */
function thinned(log: Logger['warn'], perSecond: number): Logger['warn'] {
  const counts = new Map<string, { second: number; count: number }>();
  return (message, fields) => {
    const second = Math.floor(performance.now() / 1000);
    // Messages are constant sentences, so that this only meets a caller who puts values into them.
    if (counts.size > MAX_KINDS) counts.clear();
    const entry = counts.get(message) ?? { second, count: 0 };
    counts.set(message, entry);
    const suppressed = entry.second === second ? 0 : Math.max(entry.count - perSecond, 0);
    if (entry.second !== second) Object.assign(entry, { second, count: 0 });
    entry.count += 1;
    if (entry.count > perSecond) return;
    log(message, suppressed > 0 ? { ...fields, suppressed } : fields);
  };
}

function boundedFields(fields: Record<string, unknown>): Record<string, unknown> {
  return bounded(fields, MAX_DEPTH) as Record<string, unknown>;
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return clip(value, MAX_TEXT_LENGTH);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return boundedError(value, depth);
  if (depth === 0) return Array.isArray(value) ? '[…]' : '{…}';
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map(item => bounded(item, depth - 1));
    return value.length > MAX_ITEMS ? [...items, `… (${value.length - MAX_ITEMS} more)`] : items;
  }
  const entries = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(entries.map(([key, item]) => [clip(key, MAX_TEXT_LENGTH), bounded(item, depth - 1)]));
}

/** Errors stay errors, since loggers print them in their own way; long ones are replaced by a shortened copy. */
function boundedError(error: Error, depth: number): Error {
  const { name, message, stack = '', cause } = error;
  const isShort = message.length <= MAX_TEXT_LENGTH && stack.length <= MAX_STACK_LENGTH;
  if (isShort && cause === undefined) return error;
  const copy = new Error(clip(message, MAX_TEXT_LENGTH), depth > 0 ? { cause: bounded(cause, depth - 1) } : {});
  return Object.assign(copy, { name, stack: clip(stack, MAX_STACK_LENGTH), ...codeOf(error) });
}

function codeOf(error: Error): { code?: unknown } {
  return 'code' in error && typeof error.code !== 'object' ? { code: error.code } : {};
}
