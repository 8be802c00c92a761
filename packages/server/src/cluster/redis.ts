import type { Logger } from '@a2c-smcp/core';
import { Redis, type RedisOptions, ReplyError } from 'ioredis';

/** Milliseconds after which an unanswered command counts as lost. */
const COMMAND_TIMEOUT_MS = 2000;
const CONNECT_TIMEOUT_MS = 2000;
const MAX_REASON_LENGTH = 200;

/** Prepares a connection to Redis; `connect` opens it. */
export function createRedis(url: string, logger: Logger, more: RedisOptions = {}): Redis {
  const redis = new Redis(url, {
    lazyConnect: true,
    // Commands fail at once while Redis is away; nothing is queued without bound.
    enableOfflineQueue: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: attempt => Math.min(100 * attempt, 1000),
    ...more,
  });
  redis.on('error', error => logger.debug('Redis reported an error', { error: reasonOf(error) }));
  return redis;
}

/**
 * Whether a command failed because Redis could not be reached. False when Redis answered: with an error of its own, such
 * as OOM or WRONGTYPE, or with something that could not be read.
 */
export function isConnectionError(error: unknown): boolean {
  return ![ReplyError, TypeError, RangeError, SyntaxError].some(type => error instanceof type);
}

/** An error as a short text for the log. The error itself may hold the arguments of the command. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON_LENGTH);
}
