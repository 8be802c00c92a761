import { clip, type Logger } from '@a2c-smcp/core';
import { Exit } from './failure.ts';
import { oneLine } from './output/table.ts';

/** Milliseconds from an unexpected failure to the end of the process, for calls in flight and for stopping MCP servers. */
const DRAIN_TIMEOUT_MS = 10_000;
const MAX_STACK_LINES = 20;
const MAX_CAUSES = 3;

export interface CrashOptions {
  /** Undefined unless the process is a service. */
  logger(): Logger | undefined;
  /** Writes the line for a person when there is no logger. */
  note(line: string): void;
  /** Starts to drain, as SIGTERM does. */
  stop(): void;
  /** Masks secrets. */
  redact(text: string): string;
}

/**
 * Logs unhandled exceptions and rejections, drains as after SIGTERM and exits with `Exit.crashed`: the state of the process
 * is unknown, so that a supervisor should restart it. A second one while draining ends the process at once.
 */
export function exitAfterCrash({ logger, note, stop, redact }: CrashOptions): void {
  let isDraining = false;
  process.on('exit', () => {
    if (isDraining) process.exitCode = Exit.crashed;
  });
  // Node raises unhandled rejections as this event too.
  process.on('uncaughtException', thrown => {
    try {
      report(crashOf(thrown, redact), logger(), note);
    } catch {
      // An error whose fields throw when they are read.
    }
    if (isDraining) process.exit(Exit.crashed);
    isDraining = true;
    setTimeout(() => process.exit(Exit.crashed), DRAIN_TIMEOUT_MS).unref();
    stop();
  });
}

interface Crash {
  message: string;
  stack: string;
  /** The messages of the causes, the nearest first. */
  causes: string[];
}

function crashOf(thrown: unknown, redact: CrashOptions['redact']): Crash {
  const { message, stack = '', cause } = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { message: redact(message), stack: redact(stack), causes: causesOf(cause).map(redact) };
}

function causesOf(cause: unknown, most = MAX_CAUSES): string[] {
  if (cause === undefined || most === 0) return [];
  return cause instanceof Error ? [cause.message, ...causesOf(cause.cause, most - 1)] : [String(cause)];
}

function report({ message, stack, causes }: Crash, logger: Logger | undefined, note: CrashOptions['note']): void {
  // The stack begins with the message, which may have many lines: keeps its first one and the frames.
  const [title = '', ...frames] = stack.split('\n').filter((line, index) => index === 0 || /^\s+at /.test(line));
  const lines = [title, ...frames.slice(0, MAX_STACK_LINES).map(line => line.trim())];
  if (logger)
    logger.error('The process failed unexpectedly and ends', {
      error: message,
      ...(causes.length > 0 ? { causes } : {}),
      stack: lines,
    });
  else note(`a2c: Unexpected failure, which is a bug: ${clip(oneLine(message), 500)} (${oneLine(lines[1] ?? '')})`);
}
