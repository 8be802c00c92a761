import type { Logger } from '@a2c-smcp/protocol';
import type { Style } from './output/style.ts';
import { oneLine } from './output/table.ts';

/** For people, or one JSON object per line. */
export const LOG_FORMATS = ['pretty', 'json'] as const;
/** From everything to nothing. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'off'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogOptions {
  write: (line: string) => void;
  format: LogFormat;
  /** What is less important than this is left out. */
  level: LogLevel;
  style: Style;
}

/** A logger that writes one line per message: for people, or for programs as JSON. */
export function createLogger({ write, format, level, style }: LogOptions): Logger {
  const least = LOG_LEVELS.indexOf(level);
  const marks = { debug: style.dim, info: style.cyan, warn: style.yellow, error: style.red };
  const log =
    (of: keyof Logger) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      if (LOG_LEVELS.indexOf(of) < least) return;
      const time = new Date().toISOString();
      if (format === 'json') {
        write(JSON.stringify({ time, level: of, message, ...plain(fields) }));
        return;
      }
      const facts = Object.entries(plain(fields)).map(
        ([name, value]) => `${style.dim(`${name}=`)}${oneLine(brief(value))}`,
      );
      write([style.dim(time.slice(11, 19)), marks[of](of.padEnd(5)), message, ...facts].join(' '));
    };
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
}

/** Errors as their messages: JSON would leave them empty, and nobody asked for a stack. */
function plain(fields: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, value instanceof Error ? value.message : value]));
}

function brief(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
}
