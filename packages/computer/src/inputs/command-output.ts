import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fieldsOf } from '@a2c-smcp/core';
import { ConfigError, type MCPServerCommandInput } from '@a2c-smcp/protocol';

const execute = promisify(execFile);

const COMMAND_TIMEOUT_MS = 30_000;

/**
 * The output of a `command` input, without its last line break. With `args` the command is a program, and the keys
 * and values are its arguments; without, it is a line for the shell.
 */
export async function commandOutput(
  { id, command, args }: MCPServerCommandInput,
  signal: AbortSignal,
): Promise<string> {
  const options = {
    signal,
    timeout: COMMAND_TIMEOUT_MS,
    maxBuffer: 1024 * 1024,
    windowsHide: true,
    encoding: 'utf8',
  } as const;
  try {
    const { stdout } = args
      ? await execute(
          command,
          Object.entries(args)
            .flat()
            .filter(part => part !== ''),
          options,
        )
      : await execute(command, { ...options, shell: true });
    return stdout.replace(/\r?\n$/, '');
  } catch (error) {
    signal.throwIfAborted();
    throw new ConfigError(`inputs.${id}`, `its command failed: ${reason(error)}`, { cause: error });
  }
}

/** Not the error's own message, which repeats the command line and whatever is in it. */
function reason(error: unknown): string {
  const { code, killed } = fieldsOf(error);
  if (killed === true) return `it took longer than ${COMMAND_TIMEOUT_MS / 1000} s`;
  return typeof code === 'number' ? `exit code ${code}` : String(code ?? 'unknown reason');
}
