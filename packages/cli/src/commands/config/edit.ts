import { createHash, randomUUID } from 'node:crypto';
import { mkdir, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseJsonc, readConfig, readTextFile } from '@a2c-smcp/computer/files';
import { fieldsOf, isObject, type Json } from '@a2c-smcp/core';
import type { MCPServerInput } from '@a2c-smcp/protocol';
import { type Change, changeText } from './change-text.ts';

/** An addition to a file. */
export interface Additions {
  /** By name, in our own form. A server of the same name is replaced. */
  servers: Record<string, Json>;
  inputs?: readonly MCPServerInput[];
}

/** Adds MCP servers and inputs to a configuration file, which is created if there is none. */
export function addToFile(file: string, { servers, inputs = [] }: Additions): Promise<void> {
  return changeFile(file, data => {
    const key = serversKey(data);
    const isForeign = Object.values(fieldsOf(data[key])).some(entry => !isOwn(entry));
    const entries = Object.entries(servers).map(([name, server]) => {
      return { path: [key, name], value: isForeign ? (foreignEntry(server) ?? server) : server };
    });
    const count = Array.isArray(data.inputs) ? data.inputs.length : 0;
    return [...inputs.map((value, index) => ({ path: ['inputs', count + index], value })), ...entries];
  });
}

/** Removes an MCP server from a configuration file, and the inputs that only it used. Throws when the file does not have it. */
export function removeFromFile(file: string, server: string): Promise<void> {
  return changeFile(file, data => {
    const entry = requireEntry(data, server);
    const key = serversKey(data);
    const others = { ...data, [key]: { ...fieldsOf(data[key]), [server]: undefined } };
    const inputs = Array.isArray(data.inputs) ? data.inputs : [];
    const isItsOwn = (input: unknown) => uses(entry, input) && !uses(others, input);
    // From the last on, since a removal moves those behind it.
    const unused = inputs
      .flatMap((input, index) => (isItsOwn(input) ? [{ path: ['inputs', index] }] : []))
      .toReversed();
    return [{ path: [key, server] }, ...unused].map(({ path }) => ({ path, value: undefined }));
  });
}

function uses(part: Json, input: unknown): boolean {
  return JSON.stringify(part).includes(`\${input:${String(fieldsOf(input).id)}}`);
}

/** Writes into a configuration file whether a tool runs without confirmation. */
export function approveInFile(
  file: string,
  { server, tool }: { server: string; tool: string },
  isApproved = true,
): Promise<void> {
  return changeFile(file, data => {
    const entry = requireEntry(data, server);
    const path = [serversKey(data), server];
    if (isOwn(entry)) return [{ path: [...path, 'tool_meta', tool, 'auto_apply'], value: isApproved }];
    const others = (Array.isArray(entry.autoApprove) ? entry.autoApprove : []).filter(name => name !== tool);
    return [{ path: [...path, 'autoApprove'], value: isApproved ? [...others, tool] : others }];
  });
}

/** The text of a configuration file, and the sum that `replaceText` wants back. */
export async function readText(file: string): Promise<{ text: string; sum: string }> {
  const text = await textOf(file);
  return { text, sum: createHash('sha256').update(text).digest('hex') };
}

/** Replaces the text of a configuration file. Refuses one that cannot be used, and one that is for another text. */
export async function replaceText(file: string, text: string, sum: string): Promise<void> {
  checkText(file, text);
  if ((await readText(file)).sum !== sum) throw new Error('The file was changed meanwhile: load it again');
  await replaceFile(file, text);
}

/** Throws a `ConfigError` when a Computer could not use the text. */
export function checkText(file: string, text: string): void {
  readConfig(parseJsonc(text, file), file);
}

/** Changes a file as a person would: keeps comments and formatting. Refuses a change that makes it invalid. */
async function changeFile(file: string, changesOf: (data: Json) => Change[]): Promise<void> {
  const before = await textOf(file);
  const changes = changesOf(fieldsOf(parseJsonc(before, file)));
  const after = changes.reduce(changeText, before);
  checkText(file, after);
  await replaceFile(file, after);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readTextFile(file);
  } catch (error) {
    if (fieldsOf(error).code !== 'ENOENT') throw error;
    return '{\n  "servers": {}\n}\n';
  }
}

/** Replaces a file at once, or makes one that only its owner can read. */
export async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const target = await realpath(file).catch(() => file);
  // Keeps the mode, because the file may hold credentials. A new one is for its owner only.
  const mode = await stat(target).then(
    stats => stats.mode & 0o777,
    () => 0o600,
  );
  // Renaming is atomic: a concurrent reader gets the old file or the new one.
  const draft = `${target}.${randomUUID()}.tmp`;
  await writeFile(draft, text, { flag: 'wx', mode });
  await rename(draft, target);
}

function serversKey(data: Json): 'servers' | 'mcpServers' {
  return 'mcpServers' in data ? 'mcpServers' : 'servers';
}

function requireEntry(data: Json, server: string): Json {
  const servers = fieldsOf(data[serversKey(data)]);
  const entry = Object.hasOwn(servers, server) ? servers[server] : undefined;
  if (!isObject(entry)) throw new Error(`the file has no MCP server '${server}'`);
  return entry;
}

/** True if an entry is in our own form. Other programs have the parameters beside the other fields. */
function isOwn(entry: unknown): boolean {
  return isObject(entry) && 'server_parameters' in entry;
}

/** Parameters that other programs know by the same names. */
const COMMON_PARAMETERS = ['command', 'args', 'env', 'cwd', 'url', 'headers'];

/** An entry in the form of other programs, which read the same file; undefined if they cannot express it. */
function foreignEntry({ server_parameters, type, ...rest }: Json): Json | undefined {
  const { url, ...parameters } = fieldsOf(server_parameters);
  if (Object.keys(parameters).some(name => !COMMON_PARAMETERS.includes(name))) return undefined;
  if (url === undefined) return { ...parameters, ...rest };
  return { type: type === 'sse' ? 'sse' : 'http', url, ...parameters, ...rest };
}
