import { given } from '@a2c-smcp/core';
import { defaultLimits, type Limits } from '@a2c-smcp/server';
import { type OptionSpecs, type OptionValues, UsageError } from '../../command.ts';
import { LOG_FORMATS, LOG_LEVELS } from '../../log.ts';
import { readAssignment, readChoice, readNumber } from '../../options.ts';
import { MAX_WORKERS, type ServerSettings } from './settings.ts';

const METRICS = ['local', 'public', 'off'] as const;

/** The options of `a2c server`. They and their variables win over the settings file. */
export const serverOptions = {
  settings: {
    type: 'string',
    short: 's',
    value: 'FILE',
    env: 'A2C_SETTINGS',
    summary: 'A JSON file with any of these',
  },
  host: {
    type: 'string',
    value: 'ADDRESS',
    env: 'A2C_HOST',
    summary: 'The address to listen on; 127.0.0.1 by default',
  },
  port: { type: 'string', short: 'p', value: 'PORT', env: 'A2C_PORT', summary: '7000 by default; 0 takes any' },
  cert: {
    type: 'string',
    value: 'FILE',
    env: 'A2C_CERT',
    summary: 'Speak TLS with this certificate and its chain (PEM)',
  },
  'key-file': { type: 'string', value: 'FILE', env: 'A2C_KEY_FILE', summary: 'The private key of --cert (PEM)' },
  key: { type: 'string', value: 'KEY', multiple: true, env: 'A2C_KEYS', summary: 'Admit clients with this API key' },
  'print-key': { type: 'boolean', summary: 'Make a key, admit clients with it, and print it' },
  console: {
    type: 'boolean',
    env: 'A2C_CONSOLE',
    summary: 'Show this Server in a browser, and print the address',
  },
  'operator-key': {
    type: 'string',
    value: 'KEY',
    multiple: true,
    env: 'A2C_OPERATOR_KEYS',
    summary: "Serve the operator API to this key, for 'a2c server top'",
  },
  'jwt-secret': {
    type: 'string',
    value: 'SECRET',
    env: 'A2C_JWT_SECRET',
    summary: 'Admit tokens signed with it (HS256)',
  },
  'jwt-public-key': {
    type: 'string',
    value: 'FILE',
    env: 'A2C_JWT_PUBLIC_KEY',
    summary: 'Admit tokens of this key (PEM)',
  },
  'jwt-algorithm': {
    type: 'string',
    value: 'NAME',
    env: 'A2C_JWT_ALGORITHM',
    summary: 'Of the public key, as in RS256',
  },
  'jwt-jwks': { type: 'string', value: 'URL', env: 'A2C_JWT_JWKS', summary: 'Admit tokens of the keys found there' },
  'jwt-issuer': {
    type: 'string',
    value: 'TEXT',
    env: 'A2C_JWT_ISSUER',
    summary: 'The issuer (iss) that tokens must have',
  },
  'jwt-audience': {
    type: 'string',
    value: 'TEXT',
    env: 'A2C_JWT_AUDIENCE',
    summary: 'The audience (aud) that tokens must have',
  },
  redis: {
    type: 'string',
    value: 'URL',
    env: 'A2C_REDIS',
    summary: 'Act as one Server with the others on this Redis, Redis Cluster (URL,URL) or sentinel://HOST,HOST/NAME',
  },
  workers: {
    type: 'string',
    value: 'N',
    env: 'A2C_WORKERS',
    summary: 'Run as N processes on one port; auto is one for each core',
  },
  cluster: { type: 'string', value: 'NAME', env: 'A2C_CLUSTER', summary: 'Separates Servers that share a Redis' },
  'redis-only': {
    type: 'boolean',
    env: 'A2C_REDIS_ONLY',
    summary: 'Send calls between nodes through Redis, and open no port for nodes',
  },
  'allow-anonymous': {
    type: 'boolean',
    env: 'A2C_ALLOW_ANONYMOUS',
    summary: 'Admit clients without credentials, also from other machines',
  },
  'allow-host': {
    type: 'string',
    value: 'NAME',
    multiple: true,
    env: 'A2C_ALLOWED_HOSTS',
    summary: 'A name of this Server',
  },
  'allow-origin': {
    type: 'string',
    value: 'URL',
    multiple: true,
    env: 'A2C_ALLOWED_ORIGINS',
    summary: 'Admit its web pages',
  },
  'trust-proxy': { type: 'boolean', env: 'A2C_TRUST_PROXY', summary: 'Trust X-Forwarded-For' },
  'require-version': { type: 'boolean', env: 'A2C_REQUIRE_VERSION', summary: 'Refuse clients that send no version' },
  metrics: { type: 'string', value: METRICS.join('|'), env: 'A2C_METRICS', summary: 'Who may read /metrics' },
  limit: {
    type: 'string',
    value: 'NAME=N',
    multiple: true,
    env: 'A2C_LIMITS',
    summary: 'A limit, as in messageBytes=1000000',
  },
  logs: { type: 'string', value: LOG_FORMATS.join('|'), env: 'A2C_LOGS', summary: 'pretty on a terminal, else json' },
  'log-level': { type: 'string', value: LOG_LEVELS.join('|'), env: 'A2C_LOG_LEVEL', summary: 'info by default' },
} as const satisfies OptionSpecs;

/** The settings from the command line and the environment. */
export function settingsOf(options: OptionValues<typeof serverOptions>): ServerSettings {
  const { host, port, redis, cluster, metrics, logs } = options;
  const level = options['log-level'];
  const keys = separated(options.key);
  const operatorKeys = separated(options['operator-key']);
  const hosts = separated(options['allow-host']);
  const origins = separated(options['allow-origin']);
  const limits = Object.fromEntries(separated(options.limit).map(readLimit));
  return given({
    host,
    port: port === undefined ? undefined : readNumber('--port', port, { min: 0, max: 65_535 }),
    certFile: options.cert,
    keyFile: options['key-file'],
    keys: keys.length > 0 ? keys : undefined,
    operatorKeys: operatorKeys.length > 0 ? operatorKeys : undefined,
    jwt: jwtOf(options),
    redis,
    cluster,
    redisOnly: options['redis-only'] || undefined,
    workers: options.workers === undefined ? undefined : readWorkers(options.workers),
    allowAnonymous: options['allow-anonymous'] || undefined,
    allowedHosts: hosts.length > 0 ? hosts : undefined,
    allowedOrigins: origins.length > 0 ? origins : undefined,
    trustProxy: options['trust-proxy'] || undefined,
    requireVersion: options['require-version'] || undefined,
    exposeMetrics: metrics === undefined ? undefined : readChoice('--metrics', metrics, METRICS),
    limits: Object.keys(limits).length > 0 ? limits : undefined,
    logs: logs === undefined ? undefined : readChoice('--logs', logs, LOG_FORMATS),
    logLevel: level === undefined ? undefined : readChoice('--log-level', level, LOG_LEVELS),
  });
}

function readWorkers(text: string): number | 'auto' {
  return text === 'auto' ? text : readNumber('--workers', text, { min: 1, max: MAX_WORKERS });
}

function jwtOf(options: OptionValues<typeof serverOptions>): ServerSettings['jwt'] {
  const tokens = given({
    secret: options['jwt-secret'],
    publicKeyFile: options['jwt-public-key'],
    algorithm: options['jwt-algorithm'],
    jwks: options['jwt-jwks'],
    issuer: options['jwt-issuer'],
    audience: options['jwt-audience'],
  });
  return Object.keys(tokens).length > 0 ? tokens : undefined;
}

function readLimit(text: string): [name: keyof Limits, value: number] {
  const [name, value] = readAssignment('--limit', text);
  const names = Object.keys(defaultLimits) as (keyof Limits)[];
  const limit = names.find(each => each === name);
  if (!limit) throw new UsageError(`--limit: '${name}' is not a limit; there are ${names.join(', ')}`);
  return [limit, readNumber(`--limit ${name}`, value, { min: 1, max: Number.MAX_SAFE_INTEGER })];
}

/** Splits values of environment variables, which separate several by commas. */
function separated(values: readonly string[]): string[] {
  return values
    .flatMap(value => value.split(','))
    .map(value => value.trim())
    .filter(Boolean);
}
