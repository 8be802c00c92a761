import type { Emitter, Logger } from '@a2c-smcp/core';
import type { LoggingLevel, LoggingMessageNotificationParams } from '@modelcontextprotocol/client';
import type { Secrets } from '../../secrets/secrets.ts';
import type { McpEvents } from '../events.ts';
import { StderrLines } from '../process/stderr-lines.ts';
import { ServerLog, type ServerLogLine } from '../server-log.ts';
import { readLogMessage } from '../session/log-message.ts';
import type { McpServerState } from './status.ts';

/** The levels of our log for MCP's. */
const LOG_LEVELS: Record<LoggingLevel, keyof Logger> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

/** Lines of standard error in the warning about a failure. */
const WARNED_LINES = 5;

export interface ServerOutputOptions {
  /** Masked in all texts for people. */
  secrets: Secrets;
  events: Emitter<McpEvents>;
  logger: Logger;
}

/** Everything that one MCP server writes over all its sessions: standard error and log messages. */
export class ServerOutput {
  /** Adds the name of the server to every line. */
  readonly logger: Logger;
  readonly #server: string;
  readonly #options: ServerOutputOptions;
  readonly #log = new ServerLog(line => this.#passOn(line));
  readonly #stderr: StderrLines;
  /** The error of the last warning, until the server is ready. */
  #warned: string | undefined;

  constructor(server: string, options: ServerOutputOptions) {
    this.logger = about(server, options.logger);
    this.#server = server;
    this.#options = options;
    this.#stderr = new StderrLines({
      secrets: options.secrets,
      onLine: text => this.#log.add({ source: 'stderr', level: 'debug', text }),
    });
  }

  /** The last lines of both sources, also without secrets that became known later. */
  get lines(): ServerLogLine[] {
    const { redact } = this.#options.secrets;
    return this.#log.lines.map(line => ({ ...line, text: redact(line.text) }));
  }

  /** The newest `count` lines of standard error, oldest first. */
  stderr(count = Infinity): string[] {
    const lines = this.lines.filter(({ source }) => source === 'stderr').map(({ text }) => text);
    return lines.slice(-count);
  }

  writeStderr(text: string): void {
    this.#stderr.write(text);
  }

  /** The process has ended: what follows the last line break is a line, too. */
  endStderr(): void {
    this.#stderr.end();
  }

  addMessage(message: LoggingMessageNotificationParams): void {
    this.#log.add(readLogMessage(message, this.#options.secrets));
  }

  /** Logs a change of state. A failure is a warning once, not at every attempt that fails for the same reason. */
  report(state: McpServerState, error: string | undefined): void {
    const isNews = state === 'failed' && error !== this.#warned;
    if (state === 'failed' || state === 'ready') this.#warned = error;
    const stderr = isNews ? this.stderr(WARNED_LINES) : [];
    if (isNews) this.logger.warn('An MCP server failed', { error, ...(stderr.length > 0 ? { stderr } : {}) });
    else this.logger[state === 'failed' ? 'debug' : 'info']('An MCP server changed its state', { state, error });
  }

  #passOn(line: ServerLogLine): void {
    const { source, level, text, logger } = line;
    if (source === 'stderr') this.logger.debug('MCP server stderr', { line: text });
    else this.logger[LOG_LEVELS[level]]('MCP server log', { ...(logger === undefined ? {} : { logger }), text });
    this.#options.events.emit('log', { server: this.#server, ...line });
  }
}

/** A logger that adds the name of the server to every line. */
function about(mcp_server: string, logger: Logger): Logger {
  const naming =
    (level: keyof Logger): Logger[keyof Logger] =>
    (message, fields) =>
      logger[level](message, { mcp_server, ...fields });
  return { debug: naming('debug'), info: naming('info'), warn: naming('warn'), error: naming('error') };
}
