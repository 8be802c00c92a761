import { randomUUID } from 'node:crypto';
import { readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { fieldsOf, isObject } from '@a2c-smcp/core';
import { applyEdits, modify, parse } from 'jsonc-parser';

/** Writes into a configuration file that a tool runs without confirmation. Keeps comments and formatting. */
export async function approveInFile(file: string, { server, tool }: { server: string; tool: string }): Promise<void> {
  const text = await readFile(file, 'utf8');
  const { path, value } = approval(parse(text, [], { allowTrailingComma: true }), { server, tool });
  const edits = modify(text, path, value, { formattingOptions: { insertSpaces: true, tabSize: 2 } });
  // Renaming is atomic: a concurrent reader gets the old file or the new one.
  const target = await realpath(file);
  const draft = `${target}.${randomUUID()}.tmp`;
  // Keeps the mode, because the file may hold credentials.
  const { mode } = await stat(target);
  await writeFile(draft, applyEdits(text, edits), { flag: 'wx', mode: mode & 0o777 });
  await rename(draft, target);
}

/** Our own files have `tool_meta`, those of other programs `autoApprove`. */
function approval(
  data: unknown,
  { server, tool }: { server: string; tool: string },
): { path: string[]; value: unknown } {
  const file = fieldsOf(data);
  const key = 'servers' in file ? 'servers' : 'mcpServers';
  const servers = fieldsOf(file[key]);
  const entry = Object.hasOwn(servers, server) ? servers[server] : undefined;
  if (!isObject(entry)) throw new Error(`the file has no MCP server '${server}'`);
  if ('server_parameters' in entry) return { path: [key, server, 'tool_meta', tool, 'auto_apply'], value: true };
  const approved = Array.isArray(entry.autoApprove) ? entry.autoApprove : [];
  return { path: [key, server, 'autoApprove'], value: [...approved, tool] };
}
