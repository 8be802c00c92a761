import type { Logger } from '@a2c-smcp/core';

export interface RecordedLine {
  level: keyof Logger;
  message: string;
  fields?: Record<string, unknown>;
}

export interface RecordingLogger extends Logger {
  lines: RecordedLine[];
  /** Everything that was logged, as one text. */
  text(): string;
}

/** A logger that records its lines. */
export function recordingLogger(): RecordingLogger {
  const lines: RecordedLine[] = [];
  const record =
    (level: keyof Logger): Logger[keyof Logger] =>
    (message, fields) =>
      void lines.push({ level, message, ...(fields ? { fields } : {}) });
  return {
    lines,
    text: () => JSON.stringify(lines),
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  };
}
