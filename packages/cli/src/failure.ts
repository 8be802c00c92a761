import { ConfigError, ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import { UsageError } from './command.ts';
import { briefLine } from './output/table.ts';

/** Characters of a message, parts of which are chosen by peers. */
const MAX_MESSAGE_LENGTH = 2000;

/**
 * Exit codes: success, failure, a mistake in the command line, an unexpected failure of the process (EX_SOFTWARE of
 * sysexits.h), ended by Ctrl-C.
 */
export const Exit = { ok: 0, failed: 1, usage: 2, crashed: 70, interrupted: 130 } as const;

export interface Failure {
  exitCode: number;
  /** One line, with the remedy. */
  message: string;
}

/** An error as one line without a stack and without control characters, and its exit code. */
export function explainFailure(thrown: unknown): Failure {
  const exitCode = thrown instanceof UsageError ? Exit.usage : Exit.failed;
  return { exitCode, message: briefLine(messageOf(thrown), MAX_MESSAGE_LENGTH) };
}

function messageOf(thrown: unknown): string {
  if (thrown instanceof UsageError || thrown instanceof ConfigError) return thrown.message;
  return thrown instanceof SmcpError ? withRemedy(thrown) : systemFailure(thrown);
}

/** The message, and the options of the command line that help. The libraries know only their own options. */
function withRemedy(error: SmcpError): string {
  const { code, message } = error;
  const text = briefLine(message, MAX_MESSAGE_LENGTH);
  switch (code) {
    case ErrorCode.Unauthorized:
      return `${text}; credentials are given with --key, --token, --auth or --header`;
    case ErrorCode.OfficeFull:
      return `${text}; --office names another one${error.reason === 'agent_present' ? ', --wait SECONDS waits for the seat' : ''}`;
    case ErrorCode.Forbidden:
      return error.reason === 'name_taken' ? `${text}; --name gives it another one` : text;
    case ErrorCode.Timeout:
      if (error.reason === 'untrusted') return `${text}; --ca FILE has the certificates to trust`;
      return error.reason === 'unreachable' ? `${text}; 'a2c server' starts one, --url names another` : text;
    default:
      return text;
  }
}

function systemFailure(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { code, path, port, address } = thrown as NodeJS.ErrnoException & { port?: number; address?: string };
  switch (code) {
    case 'ENOENT':
      return `There is no file '${path}': check the path`;
    case 'EACCES':
      return path === undefined
        ? `Listening on ${address}:${port} is not allowed: choose a port above 1023 with --port`
        : `'${path}' may not be read: check its permissions`;
    case 'EISDIR':
      return 'A folder was given where a file is needed';
    case 'EADDRINUSE':
      return `Port ${port} is taken: choose another with --port, or stop what uses it`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address '${address ?? thrown.message.split(' ').at(-1)}': choose another with --host`;
    default:
      return thrown.message || thrown.name;
  }
}
