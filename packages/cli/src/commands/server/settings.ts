import { readJsoncFile } from '@a2c-smcp/computer/files';
import { ConfigError, firstProblem, Role } from '@a2c-smcp/protocol';
import { defaultLimits, type Limits } from '@a2c-smcp/server';
import * as z from 'zod';
import { LOG_FORMATS, LOG_LEVELS } from '../../log.ts';

/** Processes of one Server. */
export const MAX_WORKERS = 256;

const limitNames = Object.keys(defaultLimits) as (keyof Limits)[];
const texts = z.array(z.string());

const Key = z.union([
  z.string().min(1),
  z.strictObject({
    key: z.string().min(1),
    /** Names the client in the log. */
    id: z.string(),
    roles: z.array(Role).optional(),
    offices: texts.optional(),
    names: texts.optional(),
  }),
]);

const Jwt = z.strictObject({
  /** A shared HS256 secret of at least 32 bytes. */
  secret: z.string().optional(),
  /** The path of a public key in PEM format. */
  publicKeyFile: z.string().optional(),
  algorithm: z.string().optional(),
  jwks: z.url().optional(),
  issuer: z.string().optional(),
  audience: z.string().optional(),
});

/** The settings file of `a2c server`. All fields are optional. */
export const ServerSettings = z.strictObject({
  $schema: z.string().optional(),
  host: z.string().optional(),
  port: z.int().min(0).max(65_535).optional(),
  /** The path of a certificate with its chain in PEM format. */
  certFile: z.string().optional(),
  /** The path of the certificate's private key in PEM format. */
  keyFile: z.string().optional(),
  keys: z.array(Key).optional(),
  /** Keys for the operator API. */
  operatorKeys: texts.optional(),
  jwt: Jwt.optional(),
  /** As in `redis://127.0.0.1:6379`. */
  redis: z.string().optional(),
  /** Separates Servers that share a database of a Redis. */
  cluster: z.string().optional(),
  /** Opens no port for other nodes. */
  redisOnly: z.boolean().optional(),
  /** How many processes share the port. */
  workers: z.union([z.int().min(1).max(MAX_WORKERS), z.literal('auto')]).optional(),
  allowAnonymous: z.boolean().optional(),
  allowedHosts: texts.optional(),
  allowedOrigins: texts.optional(),
  trustProxy: z.boolean().optional(),
  requireVersion: z.boolean().optional(),
  acceptVersions: texts.optional(),
  forwardUnknown: z.boolean().optional(),
  path: z.string().startsWith('/').optional(),
  exposeMetrics: z.enum(['local', 'public', 'off']).optional(),
  /** Milliseconds. */
  timeout: z.int().positive().optional(),
  /** Milliseconds. */
  gracePeriod: z.int().min(0).optional(),
  limits: z.strictObject(Object.fromEntries(limitNames.map(name => [name, z.int().positive().optional()]))).optional(),
  logs: z.enum(LOG_FORMATS).optional(),
  logLevel: z.enum(LOG_LEVELS).optional(),
});
export type ServerSettings = z.infer<typeof ServerSettings>;

/** Reads a settings file. A `ConfigError` names the field and the file. */
export async function readSettings(path: string): Promise<ServerSettings> {
  const data = await readJsoncFile(path);
  const settings = ServerSettings.safeParse(data);
  if (settings.success) return settings.data;
  const { path: field, text } = firstProblem(settings.error);
  throw new ConfigError(field, `${text}, in '${path}'`);
}
