import type { LoggingMessageNotificationParams } from '@modelcontextprotocol/client';
import type { Secrets } from '../../secrets/secrets.ts';
import { MAX_LINE_LENGTH, type ServerLogLine } from '../server-log.ts';

/** Characters of the name that a server gives to a part of itself. */
const MAX_LOGGER_LENGTH = 100;

/** A log message of an MCP server, secrets masked before it is cut. */
export function readLogMessage(
  { level, logger, data }: LoggingMessageNotificationParams,
  secrets: Pick<Secrets, 'redactStart'>,
): ServerLogLine {
  return {
    source: 'message',
    level,
    ...(logger === undefined ? {} : { logger: secrets.redactStart(logger, MAX_LOGGER_LENGTH) }),
    text: secrets.redactStart(typeof data === 'string' ? data : (JSON.stringify(data) ?? ''), MAX_LINE_LENGTH),
  };
}
