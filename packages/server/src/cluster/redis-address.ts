import type { RedisOptions } from 'ioredis';

/** The deployment that the option `redis` addresses. */
export type RedisAddress =
  | { kind: 'single'; url: string }
  /** Some of the nodes of a Redis Cluster; the others are found through them. */
  | { kind: 'cluster'; nodes: string[]; options: Pick<RedisOptions, 'username' | 'password' | 'tls'> }
  /** The Sentinels that know which Redis is the master of a name. */
  | {
      kind: 'sentinel';
      options: Pick<
        RedisOptions,
        'sentinels' | 'name' | 'username' | 'password' | 'db' | 'sentinelUsername' | 'sentinelPassword'
      >;
    };

const SENTINEL = 'sentinel://';
const SENTINEL_PORT = 26_379;

/**
 * Reads the option `redis`: the URL of a Redis, several with commas between for a Redis Cluster, or
 * `sentinel://HOST:PORT,HOST:PORT/NAME/DATABASE` for the master that Sentinels call by this name.
 */
export function readRedisAddress(text: string): RedisAddress {
  if (text.startsWith(SENTINEL)) return readSentinel(text);
  const urls = text.split(',').map(url => url.trim());
  if (urls.length === 1) return { kind: 'single', url: text };
  const [first = '', ...others] = urls;
  for (const url of urls) if (!URL.canParse(url) || !/^rediss?:$/.test(new URL(url).protocol)) throw invalid();
  const { protocol, username, password } = new URL(first);
  const access = credentials(username, password);
  if (others.some(url => new URL(url).protocol !== protocol)) throw invalid();
  return { kind: 'cluster', nodes: urls, options: { ...access, ...(protocol === 'rediss:' ? { tls: {} } : {}) } };
}

function readSentinel(text: string): RedisAddress {
  const [, user = '', hosts = '', name = '', database = '0'] =
    /^sentinel:\/\/(?:([^@/]*)@)?([^@/]+)\/([^/]+)(?:\/(\d+))?$/.exec(text) ?? [];
  const sentinels = hosts.split(',').map(host => {
    const [, address = '', port] = /^(\[.+\]|[^:]+)(?::(\d+))?$/.exec(host.trim()) ?? [];
    return { host: address.replace(/^\[(.*)\]$/, '$1'), port: port === undefined ? SENTINEL_PORT : Number(port) };
  });
  if (name === '' || sentinels.some(({ host }) => host === '')) throw invalid();
  const [username = '', password = ''] = user.split(':');
  const access = credentials(username, password);
  return {
    kind: 'sentinel',
    options: {
      ...{ sentinels, name: decodeURIComponent(name), db: Number(database), ...access },
      ...(access.username === undefined ? {} : { sentinelUsername: access.username }),
      ...(access.password === undefined ? {} : { sentinelPassword: access.password }),
    },
  };
}

function credentials(username: string, password: string): { username?: string; password?: string } {
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  };
}

/** Does not repeat the text, which may hold a password. */
function invalid(): TypeError {
  return new TypeError(
    "The option 'redis' is a URL such as redis://HOST:6379, several of one kind with commas between for a Redis Cluster, " +
      'or sentinel://HOST:26379,HOST:26379/NAME',
  );
}
