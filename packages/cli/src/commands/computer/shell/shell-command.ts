import { readJsoncFile } from '@a2c-smcp/computer/files';
import { UsageError, type World } from '../../../command.ts';
import { readJson } from '../../../options.ts';
import type { ComputerSession } from '../session.ts';

export interface ShellContext extends World {
  session: ComputerSession;
}

export interface ShellInvocation extends ShellContext {
  /** The line after the command's name, as it was typed. */
  rest: string;
  /** The words of `rest`. */
  args: string[];
}

/** A command of the Computer's shell. Its name, of up to three words, is its key in `ShellCommands`. */
export interface ShellCommand {
  args?: string;
  summary: string;
  /** The arguments may hold secrets: the line is not kept for later sessions. */
  isPrivate?: true;
  run(invocation: ShellInvocation): Promise<void>;
  /** Candidates for the last word of `rest`. */
  complete?(session: ComputerSession, rest: string): string[];
}

export type ShellCommands = Record<string, ShellCommand>;

/** Reads typed JSON, or the file after an `@`. */
export async function readJsonOrFile(what: string, text: string): Promise<unknown> {
  const path = fileOf(text);
  if (path === undefined) return readJson(what, text, 'write it as in {"key": "value"}');
  return readJsoncFile(path);
}

/** The path after an `@`; undefined without one. */
export function fileOf(text: string): string | undefined {
  return text.startsWith('@') ? text.slice(1).trim() : undefined;
}

/** The first word, which names an MCP server. */
export function requiredServer([name]: readonly string[]): string {
  if (name === undefined) throw new UsageError("Which MCP server? 'status' lists them");
  return name;
}

/** The names of the Computer's MCP servers, for completion. */
export function serverNames({ computer }: ComputerSession): string[] {
  return computer.status().map(({ name }) => name);
}
