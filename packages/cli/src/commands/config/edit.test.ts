import { chmodSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { approveInFile } from './edit.ts';

function file(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-remember-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'mcp.json');
  writeFileSync(path, text);
  return path;
}

describe('approving a tool in a file', () => {
  test('approving a tool keeps comments and other fields of the tool', async () => {
    const path = file(`{
  // mine
  "servers": {
    "files": {
      "type": "stdio",
      "tool_meta": { "read": { "alias": "open" } }, // short
      "server_parameters": { "command": "x" },
    },
  },
}`);
    await approveInFile(path, { server: 'files', tool: 'read' });
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(/\/\/ mine[\s\S]*\/\/ short/);
    expect(text).toMatch(/"read": \{\s*"alias": "open",\s*"auto_apply": true\s*\}/);
  });

  test('approving a tool adds to autoApprove in the files of other programs', async () => {
    const path = file('{ "mcpServers": { "files": { "command": "x", "autoApprove": ["list"] } } }');
    await approveInFile(path, { server: 'files', tool: 'read' });
    expect(JSON.parse(readFileSync(path, 'utf8')).mcpServers.files.autoApprove).toEqual(['list', 'read']);
  });

  test('approving a tool keeps the mode of the file and a link to it', async () => {
    const path = file('{ "servers": { "files": { "type": "stdio", "server_parameters": { "command": "x" } } } }');
    chmodSync(path, 0o600);
    symlinkSync(path, `${path}.link`);
    await approveInFile(`${path}.link`, { server: 'files', tool: 'read' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toContain('auto_apply');
    expect(lstatSync(`${path}.link`).isSymbolicLink()).toBe(true);
  });

  test('approving a tool fails when the file does not have the MCP server', async () => {
    const path = file('{ "servers": {} }');
    await expect(approveInFile(path, { server: 'files', tool: 'read' })).rejects.toThrow("no MCP server 'files'");
    expect(readFileSync(path, 'utf8')).toBe('{ "servers": {} }');
  });
});
