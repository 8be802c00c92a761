import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../packages.ts';
import { blocksOf } from './pages.ts';

/** Stands for a program of systemd, which a test machine may lack. */
const MANAGER = '#!/bin/sh\nexit 0\n';
/** Stands for the installation of the packages. */
const NPX = '#!/bin/sh\nexec "$@"\n';
const A2C = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'packages/cli/bin/a2c.js')}' "$@"\n`;
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
  write('server.json', {});
  write('script.vrl', '.content[0].text = "hidden"');
  const shown = [page, 'docs/guide/desktop.md'].flatMap(path => blocksOf(path, 'js'));
  write(
    'server.js',
    shown.find(program => program.includes('serveStdio')),
  );
  write(
    'agent.mjs',
    blocksOf('docs/reference/conformance.md', 'js').find(program => program.includes('Agent.connect')),
  );
  copy('tests/fixtures/tls/localhost.pem', 'cert.pem');
  copy('tests/fixtures/tls/localhost-key.pem', 'key.pem');
  copy('deploy', 'deploy');
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
  const programs = { systemctl: MANAGER, journalctl: MANAGER, npx: NPX, a2c: A2C };
  for (const [name, program] of Object.entries(programs)) {
    write(`home/bin/${name}`, program);
    chmodSync(join(folder, 'home/bin', name), 0o755);
  }
}

/** A server of documents whose URIs have this host. */
export function documentsOf(host: string) {
  const command = join(root, 'packages/documents/bin/a2c-documents.js');
  const server_parameters = { command: process.execPath, args: [command, FILES, '--authority', host, '--no-index'] };
  return { type: 'stdio', server_parameters } as const;
}
