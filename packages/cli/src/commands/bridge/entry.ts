import { UsageError } from '../../command.ts';
import { connectionOptions } from '../../options.ts';
import { type ClientEntry, stdioEntry } from './client-config.ts';
import { type BridgeOptionValues, bridgeOptions } from './options.ts';

/** Options that concern the printing itself, or that only a running bridge over HTTP has. */
const NOT_REPEATED = ['print-config', 'http', 'http-token', 'host', 'allow-host'];
/** Options with credentials. They become environment variables, because all users can see the arguments of processes. */
const CREDENTIALS = ['key', 'token', 'auth', 'header'] as const;

/** The entry with which a client gets a bridge with these options. */
export function entryOf(options: BridgeOptionValues): ClientEntry {
  if (options.http === undefined) return stdioEntry(argumentsOf(options), environmentOf(options));
  const token = options['http-token'];
  if (token === undefined || options.http === '0') {
    const hint = 'name the port of the bridge, and its token with --http-token or A2C_BRIDGE_TOKEN';
    throw new UsageError(`The entry must reach a bridge that is running: ${hint}`);
  }
  const { host } = options;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${options.http}/mcp`, headers: { Authorization: `Bearer ${token}` } };
}

function argumentsOf(options: BridgeOptionValues): string[] {
  const given: Record<string, unknown> = options;
  return Object.entries(bridgeOptions).flatMap(([name, spec]) => {
    const value = given[name];
    if (NOT_REPEATED.includes(name) || CREDENTIALS.some(secret => secret === name)) return [];
    if (value === true) return [`--${name}`];
    // The address is repeated even if it is the default: it says what the entry is for.
    const isDefault = 'default' in spec && spec.default === value && name !== 'url' && name !== 'office';
    // An option and its value in one word, because a value may begin with a dash.
    return typeof value !== 'string' || isDefault ? [] : [`--${name}=${value}`];
  });
}

function environmentOf(options: BridgeOptionValues): Record<string, string> {
  const { header } = options;
  if (header.length > 1) throw new UsageError('--print-config takes one --header: write several as K:V,K:V');
  const values = { ...options, header: header[0] };
  return Object.fromEntries(
    CREDENTIALS.flatMap(name => {
      const value = values[name];
      return value === undefined ? [] : [[connectionOptions[name].env, value]];
    }),
  );
}
