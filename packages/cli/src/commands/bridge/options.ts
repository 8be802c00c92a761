import { type BridgeConnection, type BridgeOptions, PREFIXES } from '@a2c-smcp/bridge';
import type { OptionSpecs, OptionValues } from '../../command.ts';
import { LOG_FORMATS, LOG_LEVELS } from '../../log.ts';
import { caOption, connectionOf, connectionOptions, readChoice, readNumber } from '../../options.ts';
import { CLIENTS } from './client-config.ts';

/** The options of `a2c bridge`. */
export const bridgeOptions = {
  ...connectionOptions,
  ...caOption,
  name: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    default: 'a2c',
    env: 'A2C_NAME',
    summary: 'The name of the Agent',
  },
  computers: { type: 'string', value: 'A,B', summary: 'Only these Computers' },
  tags: { type: 'string', value: 'A,B', summary: 'Only tools that have one of these tags' },
  tools: { type: 'string', value: 'A,B', summary: "Only these tools; '*' stands for any characters" },
  'read-only': { type: 'boolean', summary: 'Only tools that are marked as read-only' },
  prefix: {
    type: 'string',
    value: PREFIXES.join('|'),
    default: 'auto',
    summary: 'Whether tools are named COMPUTER__TOOL: those of every Computer but the first, all, or on conflict',
  },
  'result-files': {
    type: 'string',
    value: 'DIR|off',
    env: 'A2C_RESULT_FILES',
    summary: 'Save parts of results that are too large for MCP in a folder there, until the end',
  },
  'own-seat': { type: 'boolean', summary: 'Do not share the seat of the Agent with other bridges of this machine' },
  timeout: { type: 'string', short: 't', value: 'SECONDS', default: '600', summary: 'How long a tool may run' },
  http: {
    type: 'string',
    value: 'PORT',
    implied: '7010',
    summary: 'Serve streamable HTTP instead of standard input and output: on 7010, on PORT, or on a free one (0)',
  },
  host: { type: 'string', value: 'ADDRESS', default: '127.0.0.1', summary: 'With --http: the address to listen on' },
  'allow-host': { type: 'string', value: 'A,B', summary: 'With --http: further names under which clients reach it' },
  'http-token': {
    type: 'string',
    value: 'TOKEN',
    env: 'A2C_BRIDGE_TOKEN',
    summary: 'With --http: the bearer token of clients; a new one by default',
  },
  'print-config': { type: 'string', value: CLIENTS.join('|'), summary: 'Print the entry for the settings of a client' },
  logs: { type: 'string', value: LOG_FORMATS.join('|'), default: 'pretty', env: 'A2C_LOGS', summary: 'Log format' },
  'log-level': {
    type: 'string',
    value: LOG_LEVELS.join('|'),
    default: 'warn',
    env: 'A2C_LOG_LEVEL',
    summary: 'The least important level that is logged',
  },
} as const satisfies OptionSpecs;

export type BridgeOptionValues = OptionValues<typeof bridgeOptions>;

/** How the bridge joins its office. */
export function bridgeConnectionOf(options: BridgeOptionValues): BridgeConnection & ReturnType<typeof connectionOf> {
  return { url: options.url, name: options.name, share: !options['own-seat'], ...connectionOf(options) };
}

/** The options that limit what clients see of the office. */
export function bridgeSettingsOf(options: BridgeOptionValues): BridgeOptions {
  return {
    computers: readList(options.computers),
    tags: readList(options.tags),
    tools: readList(options.tools),
    readOnly: options['read-only'],
    prefix: readChoice('--prefix', options.prefix, PREFIXES),
    resultFiles: resultFilesOf(options),
    toolTimeout: readNumber('--timeout', options.timeout, { min: 1, max: 3600 }) * 1000,
  };
}

/** Clients of other machines cannot read files of this one. */
function resultFilesOf({ 'result-files': folder, http, host }: BridgeOptionValues): string | false | undefined {
  if (folder !== undefined) return folder === 'off' ? false : folder;
  return http !== undefined && !/^(127\.|localhost$|::1$)/.test(host) ? false : undefined;
}

/** Reads `a,b`. */
export function readList(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  return text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');
}
