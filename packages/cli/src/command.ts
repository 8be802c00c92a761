import { once } from 'node:events';
import type { Logger } from '@a2c-smcp/core';
import type { Terminal } from './keyboard/terminal.ts';
import type { Style } from './output/style.ts';
import type { Redaction } from './redaction.ts';

/** An option of a command line, in the form `node:util` parses, with what `--help` says about it. */
export interface OptionSpec {
  type: 'string' | 'boolean';
  short?: string;
  multiple?: true;
  default?: string;
  summary: string;
  /** What stands for the value in `--help`. */
  value?: string;
  /** The environment variable that holds the value when the option is not given. */
  env?: string;
}

/** Options by their long names. */
export type OptionSpecs = Record<string, OptionSpec>;

/** The values that options have after parsing. */
export type OptionValues<O extends OptionSpecs> = {
  [K in keyof O]: O[K]['type'] extends 'boolean'
    ? boolean
    : O[K] extends { multiple: true }
      ? string[]
      : O[K] extends { default: string }
        ? string
        : string | undefined;
};

/** What a command gets from the world. It touches nothing else, so tests run it in process. */
export interface World {
  /** Fires when the command should come to an end: Ctrl-C, SIGTERM. */
  signal: AbortSignal;
  /** Writes a line of what was asked for. */
  print(line: string): void;
  /** Writes a line about what is going on, apart from the output. */
  note(line: string): void;
  /** The person at the keyboard, if there is one. */
  terminal: Terminal | undefined;
  style: Style;
  env: Record<string, string | undefined>;
  /** Masks secrets in what is printed of failures and crashes. */
  redaction: Redaction;
  /**
   * Declares that the command runs until it is stopped. It then outlives the readers of its output, and its log gets
   * unexpected failures and the number of lines that were dropped.
   */
  runAsService(logger: Logger): void;
}

export interface CommandContext<O extends OptionSpecs> extends World {
  options: OptionValues<O>;
  /** What follows the options, in order. */
  args: string[];
}

/** One command. Make it with `defineCommand`. */
export interface Command<O extends OptionSpecs = OptionSpecs> {
  summary: string;
  /** The arguments after the options, as `--help` shows them, as in `TOOL [key=value…]`. */
  args?: string;
  options: O;
  /** Lines for the end of `--help`. */
  examples?: readonly string[];
  /** The exit code; nothing means success. */
  run(context: CommandContext<O>): Promise<number | undefined>;
}

/** Several commands under one name. */
export interface CommandGroup {
  summary: string;
  /** A function gives one that is loaded only when it is used. */
  commands: Record<string, Command | CommandGroup | (() => Promise<Command | CommandGroup>)>;
}

/** Declares a command. It only ties the type of `options` to the one of `run`. */
export function defineCommand<const O extends OptionSpecs>(command: Command<O>): Command {
  // Whoever runs it has parsed the options by the same table.
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
