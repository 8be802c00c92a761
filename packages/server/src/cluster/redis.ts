import type { TLSSocket } from 'node:tls';
import type { Logger } from '@a2c-smcp/core';
import { Redis, Cluster as RedisCluster, type RedisOptions, ReplyError } from 'ioredis';
import { readRedisAddress } from './redis-address.ts';

/** Milliseconds after which an unanswered command counts as lost. */
const COMMAND_TIMEOUT_MS = 2000;
const CONNECT_TIMEOUT_MS = 2000;
const MAX_REASON_LENGTH = 200;

/**
 * Prepares a connection to Redis, or to a Redis Cluster, which has the same methods for us but no stream; `connect` opens
 * it.
 */
export function createRedis(url: string, logger: Logger, more: RedisOptions = {}): Redis {
  const redis = open(url, { commandTimeout: COMMAND_TIMEOUT_MS, connectTimeout: CONNECT_TIMEOUT_MS, ...more });
  redis.on('error', error => logger.debug('Redis reported an error', { error: reasonOf(error) }));
  return redis;
}

function open(url: string, options: RedisOptions): Redis {
  const address = readRedisAddress(url);
  // Commands fail at once while Redis is away; nothing is queued without bound.
  const common = { lazyConnect: true, enableOfflineQueue: false };
  const retry = (attempt: number) => Math.min(100 * attempt, 1000);
  if (address.kind === 'cluster') {
    const { nodes, ...access } = address;
    const cluster = new RedisCluster(nodes, {
      ...common,
      // Its nodes connect when they are first needed.
      redisOptions: { ...options, ...access.options },
      shardedSubscribers: true,
      clusterRetryStrategy: retry,
    });
    return cluster as unknown as Redis;
  }
  const settings = { ...common, ...options, maxRetriesPerRequest: 0, retryStrategy: retry };
  if (address.kind === 'sentinel') return new Redis({ ...settings, ...address.options });
  return new Redis(address.url, settings);
}

/** True if it leads to a Redis Cluster, where each key and channel has a shard of its own. */
export function isRedisCluster(redis: Redis): boolean {
  return redis.isCluster;
}

/**
 * The address of this machine in the network in which Redis is, for connections that are not encrypted. Undefined when that
 * to Redis is, and for a Redis Cluster.
 */
export function addressTowards(redis: Redis): string | undefined {
  if (isRedisCluster(redis)) return undefined;
  const { encrypted = false, localAddress } = redis.stream as Partial<TLSSocket>;
  if (encrypted) return undefined;
  // Without one, Redis is a path of this machine.
  return localAddress ?? '127.0.0.1';
}

/**
 * True if a command failed because Redis could not be reached. False when Redis answered: with an error of its own, such
 * as OOM or WRONGTYPE, or with something that could not be read.
 */
export function isConnectionError(error: unknown): boolean {
  return ![ReplyError, TypeError, RangeError, SyntaxError].some(type => error instanceof type);
}

/** An error as a short text for the log. The error itself may hold the arguments of the command. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON_LENGTH);
}
