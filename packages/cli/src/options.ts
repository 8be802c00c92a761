import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { readTextFile } from '@a2c-smcp/computer/files';
import { isObject, type Json, parseJson } from '@a2c-smcp/core';
import { type OptionSpecs, type OptionValues, UsageError, type World } from './command.ts';

/** The options of every command that connects to a Server. */
export const connectionOptions = {
  url: {
    type: 'string',
    short: 'u',
    value: 'URL',
    default: 'http://127.0.0.1:7000',
    env: 'A2C_URL',
    summary: 'The Server',
  },
  office: {
    type: 'string',
    short: 'o',
    value: 'NAME',
    default: 'demo',
    env: 'A2C_OFFICE',
    summary: 'The office to enter',
  },
  key: { type: 'string', value: 'KEY', env: 'A2C_KEY', summary: 'An API key, sent as x-api-key' },
  token: { type: 'string', value: 'JWT', env: 'A2C_TOKEN', summary: 'A token, sent as Authorization: Bearer' },
  auth: {
    type: 'string',
    value: 'K:V,…',
    env: 'A2C_AUTH',
    summary: 'Further fields of the auth object, or a JSON object',
  },
  header: { type: 'string', value: 'K:V', multiple: true, env: 'A2C_HEADERS', summary: 'A header of the handshake' },
} as const satisfies OptionSpecs;

/** The option for the authorities that the Server's certificate may have, which `connectionOf` reads. */
export const caOption = {
  ca: {
    type: 'string',
    value: 'FILE',
    env: 'A2C_CA',
    summary: 'Trust the certificates in this file (PEM) instead of the public ones',
  },
} as const satisfies OptionSpecs;

/** The option for the name of a Computer. */
export const computerNameOption = {
  name: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    env: 'A2C_NAME',
    summary: "The Computer's name; the name of the host by default",
  },
} as const satisfies OptionSpecs;

/** The option for values of inputs, which `inputValuesOf` reads. */
export const inputOption = {
  input: {
    type: 'string',
    short: 'i',
    value: 'ID=VALUE',
    multiple: true,
    summary: 'The value of an input, before all other sources',
  },
} as const satisfies OptionSpecs;

export function inputValuesOf({ input }: OptionValues<typeof inputOption>): Record<string, string> {
  return Object.fromEntries(input.map(text => readAssignment('--input', text)));
}

export interface Connection {
  office: string;
  auth: Record<string, unknown>;
  headers: Record<string, string>;
  /** In PEM format. */
  ca?: string;
}

/** The connection that the options describe. */
export function connectionOf(
  options: OptionValues<typeof connectionOptions> & Partial<OptionValues<typeof caOption>>,
): Connection {
  const { office, key, token, auth, header, ca } = options;
  return {
    office,
    ...(ca === undefined ? {} : { ca: readCertificates('--ca', ca) }),
    auth: auth === undefined ? {} : readPairs('--auth', auth),
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...Object.assign({}, ...header.map(text => readHeaders('--header', text))),
    },
  };
}

/** Reads a file with certificates. */
export function readCertificates(option: string, path: string): string {
  const text = readFileSync(path, 'utf8');
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new UsageError(`${option}: '${path}' has no certificate in PEM format`);
}

/** Reads `key:value,key:value` or a JSON object, as the official command takes them. */
export function readPairs(option: string, text: string): Record<string, unknown> {
  if (text.trimStart().startsWith('{')) return readJsonObject(option, text);
  // A comma separates only before another key: values such as dates have commas of their own.
  const pairs = text.split(/,(?=\s*(?:$|[\w.-]+\s*:))/).filter(part => part.trim() !== '');
  return Object.fromEntries(
    pairs.map(pair => {
      const [key = '', ...rest] = pair.split(':');
      if (key.trim() === '' || rest.length === 0) {
        // Does not repeat the text: it may be a credential.
        throw new UsageError(`${option}: not a 'key:value'; write k:v,k2:v2 or a JSON object`);
      }
      return [key.trim(), rest.join(':').trim()];
    }),
  );
}

/** Reads headers in the notation of `readPairs`. */
export function readHeaders(option: string, text: string): Record<string, string> {
  const entries = Object.entries(readPairs(option, text)).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(entries);
}

/** Reads a JSON object given on the command line. */
export function readJsonObject(option: string, text: string): Json {
  const value = readJson(option, text);
  if (isObject(value)) return value;
  throw new UsageError(`${option}: expected a JSON object, as in '{"key": "value"}'`);
}

/** Reads JSON given on the command line. @param advice how to write it */
export function readJson(
  option: string,
  text: string,
  advice = `quote it for your shell, as in '{"key": "value"}'`,
): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    // The message of `JSON.parse` repeats a part of the text, which may be a credential.
    const [place = ''] = /at position \d+/.exec(String(error)) ?? [];
    const problem = place === '' ? '' : ` ${place}`;
    throw new UsageError(`${option}: no valid JSON${problem}; ${advice}`);
  }
}

/** Characters that are read from standard input. */
const MAX_INPUT_LENGTH = 16 * 1024 * 1024;

/** The text of a file, or of standard input for `-`. */
export async function readTextSource(
  path: string,
  { streams, terminal }: Pick<World, 'streams' | 'terminal'>,
): Promise<string> {
  if (path !== '-') return readTextFile(path);
  if (terminal) throw new UsageError("'-' is standard input, which is the keyboard here: pipe into it, or give a file");
  return readAll(streams.input);
}

async function readAll(input: Readable): Promise<string> {
  let text = '';
  for await (const chunk of input.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MAX_INPUT_LENGTH)
      throw new UsageError('Standard input is longer than 16 MiB: check what is piped');
  }
  return text;
}

/** Reads `id=value`. The value may contain further `=`. */
export function readAssignment(option: string, text: string): [key: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`${option}: not a 'key=value'`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Reads an integer within limits. */
export function readNumber(option: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new UsageError(`${option}: '${text}' is not an integer from ${min} to ${max}`);
}

/** Reads one of several words. */
export function readChoice<const T extends string>(option: string, text: string, choices: readonly T[]): T {
  const found = choices.find(choice => choice === text);
  if (found === undefined) throw new UsageError(`${option}: '${text}' is none of ${choices.join(', ')}`);
  return found;
}
