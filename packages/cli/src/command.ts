import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Logger } from '@a2c-smcp/core';
import type { Style } from './output/style.ts';
import type { Terminal } from './output/terminal.ts';
import type { Redaction } from './redaction.ts';

/** An option of a command line, in the form that `node:util` parses, with its text for `--help`. */
export interface OptionSpec {
  type: 'string' | 'boolean';
  short?: string;
  multiple?: true;
  default?: string;
  summary: string;
  /** Placeholder of the value in `--help`. Completion takes words with `|` between as choices, and FILE or DIR as a path. */
  value?: string;
  /** The value when the option is given without one. The value is then optional. */
  implied?: string;
  /** The environment variable that holds the value when the option is not given. */
  env?: string;
}

/** Options by their long names. */
export type OptionSpecs = Record<string, OptionSpec>;

/** The values of options after parsing. */
export type OptionValues<O extends OptionSpecs> = {
  [K in keyof O]: O[K]['type'] extends 'boolean'
    ? boolean
    : O[K] extends { multiple: true }
      ? string[]
      : O[K] extends { default: string }
        ? string
        : string | undefined;
};

/** Everything outside a command that it may use. Commands touch nothing else, so that tests run them in process. */
export interface World {
  /** Fires when the command should end: Ctrl-C, SIGTERM. */
  signal: AbortSignal;
  /** Writes a line to standard output: the data that the command was run for. */
  print(line: string): void;
  /** Writes a line to standard error: progress, logs and errors. */
  note(line: string): void;
  /** Standard input and output for commands that speak a protocol there. `print` must not be used then. */
  streams: { input: Readable; output: Writable };
  /** Undefined when there is no person at the keyboard. */
  terminal: Terminal | undefined;
  style: Style;
  env: Record<string, string | undefined>;
  /** The words that start the command line again: a runtime and its script, or a program of its own. */
  program: readonly string[];
  /** Masks secrets in the messages of failures and crashes. */
  redaction: Redaction;
  /**
   * Declares that the command runs until it is stopped. It then continues when its output is not read any more, and logs
   * unexpected failures and the number of dropped lines.
   */
  runAsService(logger: Logger): void;
}

export interface CommandContext<O extends OptionSpecs> extends World {
  options: OptionValues<O>;
  /** The positional arguments. */
  args: string[];
}

/** One command. Make it with `defineCommand`. */
export interface Command<O extends OptionSpecs = OptionSpecs> {
  summary: string;
  /** The positional arguments as `--help` shows them, as in `TOOL [key=value…]`. Without it there are none. */
  args?: string;
  options: O;
  /** Command lines for the end of `--help`. */
  examples?: readonly string[];
  /** Further commands under its name, as in `a2c computer pins`. */
  subcommands?: CommandGroup['commands'];
  /** Returns the exit code; undefined means success. */
  run(context: CommandContext<O>): Promise<number | undefined>;
}

/** Several commands under one name. */
export interface CommandGroup {
  summary: string;
  commands: Record<string, Command | CommandGroup | LazyCommand>;
}

/** A command that is loaded when it is used. */
export interface LazyCommand {
  /** The same as that of the command. */
  summary: string;
  load(): Promise<Command | CommandGroup>;
}

/** Declares a command. Derives the type of the options in `run` from `options`. */
export function defineCommand<const O extends OptionSpecs>(command: Command<O>): Command {
  // `parseLine` parses by the same `options`, so that the values have the types that `run` expects.
  return command as unknown as Command;
}

/** Resolves when the signal fires. */
export async function stopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** A mistake in a command line. The message is one sentence with the remedy. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
