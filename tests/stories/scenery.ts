import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../packages.ts';
import { blocksOf } from './pages.ts';

/** Stands for a program of systemd, which a test machine may lack. */
const MANAGER = '#!/bin/sh\nexit 0\n';
const FILES = join(root, 'examples/documents/files');
const DESK = { command: process.execPath, args: [join(root, 'tests/fixtures/desk-mcp-server.mjs')] };
/** The MCP server with the tools that pages call. */
export const desk = { type: 'stdio', default_tool_meta: { auto_apply: true }, server_parameters: DESK } as const;
/** The MCP server with the documents that pages read. */
export const documents = documentsOf('local.documents');

/** Writes the files that a page takes for granted, and a home. Files that the page itself shows are as it shows them. */
export function writeScenery(folder: string, page: string, settings: (text: string) => string): void {
  const write = (name: string, content: unknown) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
  };
  const copy = (source: string, name: string) => cpSync(join(root, source), join(folder, name), { recursive: true });
  const isAboutDocuments = blocksOf(page, 'sh').some(block => block.includes('dpe://'));
  write('mcp.json', { servers: isAboutDocuments ? { desk, documents } : { desk } });
  write('package.json', { type: 'module' });
  write('report.xlsx', 'a spreadsheet');
  write('script.vrl', '.content[0].text = "hidden"');
  const programs = [page, 'docs/guide/desktop.md'].flatMap(path => blocksOf(path, 'js'));
  write(
    'server.js',
    programs.find(program => program.includes('serveStdio')),
  );
  copy('tests/fixtures/tls/localhost.pem', 'cert.pem');
  copy('tests/fixtures/tls/localhost-key.pem', 'key.pem');
  copy('examples/skills', 'skills');
  copy('examples/documents/files', 'files');
  for (const text of blocksOf(page, 'jsonc')) {
    if (text.startsWith('// server.json')) write('server.json', settings(text));
    if (text.includes('"policy"'))
      write('home/.config/a2c-smcp/mcp.json', text.replace('{}', JSON.stringify({ desk })));
  }
  if (page.endsWith('inspect.md')) write('home/.config/a2c-smcp/mcp.json', { servers: { files: desk } });
  write('home/mcp.json', { servers: { desk } });
  write('home/.cursor/mcp.json', { mcpServers: { house: DESK } });
  write('home/reports/plan.md', '# Plan\n');
  write('home/work/notes.txt', 'Notes\n');
  for (const name of ['systemctl', 'journalctl']) {
    write(`home/bin/${name}`, MANAGER);
    chmodSync(join(folder, 'home/bin', name), 0o755);
  }
}

/** A server of documents whose URIs have this host. */
export function documentsOf(host: string) {
  const command = join(root, 'packages/documents/bin/a2c-documents.js');
  const server_parameters = { command: process.execPath, args: [command, FILES, '--authority', host, '--no-index'] };
  return { type: 'stdio', server_parameters } as const;
}
