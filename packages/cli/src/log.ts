import { clip, guardLogger, isObject, type Logger } from '@a2c-smcp/core';
import { jsonLine } from './output/json.ts';
import type { Style } from './output/style.ts';
import { oneLine } from './output/table.ts';

/** For people, or one JSON object per line. */
export const LOG_FORMATS = ['pretty', 'json'] as const;
/** From all messages to none. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'off'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Characters of all fields of a line together. `guardLogger` bounds each field. */
const MAX_FIELDS_LENGTH = 16_000;

export interface LogOptions {
  write: (line: string) => void;
  format: LogFormat;
  /** The least important level that is written. */
  level: LogLevel;
  style: Style;
  /** Messages that are shown in another way at the moment. */
  isShownElsewhere?: (message: string, fields: Record<string, unknown>) => boolean;
}

/** A logger that writes one line of bounded length per message, for people or as JSON. Never throws. */
export function createLogger({ write, format, level, style, isShownElsewhere }: LogOptions): Logger {
  const least = LOG_LEVELS.indexOf(level);
  const marks = { debug: style.dim, info: style.cyan, warn: style.yellow, error: style.red };
  const log =
    (of: keyof Logger) =>
    (message: string, given: Record<string, unknown> = {}) => {
      if (LOG_LEVELS.indexOf(of) < least || isShownElsewhere?.(message, given)) return;
      const time = new Date().toISOString();
      const fields = limited(plain(given) as Record<string, unknown>);
      if (format === 'json') {
        write(jsonLine({ time, level: of, message, ...fields }));
        return;
      }
      const facts = Object.entries(fields).map(
        ([name, value]) => `${style.dim(`${oneLine(name)}=`)}${oneLine(brief(value))}`,
      );
      write([style.dim(time.slice(11, 19)), marks[of](of.padEnd(5)), oneLine(message), ...facts].join(' '));
    };
  return guardLogger({ debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') });
}

/**
 * A copy that JSON can serialise without calling `toJSON` of the value. Errors become their messages: JSON would write `{}`,
 * and operators do not need stacks. `guardLogger` has bounded the depth.
 */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return '[function]';
  if (value instanceof Error) return value.message;
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([name, item]) => [name, plain(item)]));
}

function limited(fields: Record<string, unknown>): Record<string, unknown> {
  const text = jsonLine(fields);
  return text.length <= MAX_FIELDS_LENGTH ? fields : { fields: clip(text, MAX_FIELDS_LENGTH) };
}

function brief(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
}
