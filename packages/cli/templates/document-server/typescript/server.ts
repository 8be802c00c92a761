import { documents } from '@a2c-smcp/publish';
import { table } from '@a2c-smcp/publish/content';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const info = { title: 'Report', type: 'pdf', fileUri: 'file:///report.pdf', keywords: ['sales'] };
const report = { ref: 'report', ...info, summary: 'The first quarter', modified: '2026-01-15T08:30:00Z' };

const sales = table(
  ['Month', 'Cups'],
  [
    ['January', 310],
    ['February', 402],
  ],
);
const pages = [{ title: 'Sales', elements: ['Sales went up.', sales] }, 'Costs went down.'];

serveStdio(() => {
  const server = new McpServer({ name: 'library', version: '1.0.0' });
  const source = { list: () => [report], open: () => pages };
  documents(server, source, { host: 'com.example.library' });
  return server;
});
