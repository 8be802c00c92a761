import { windows } from '@a2c-smcp/publish';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'build', version: '1.0.0' });
  const desk = windows(server, { host: 'com.example.build' });
  const log = desk.open(['log'], { title: 'Build log', priority: 0.8 });
  log.set('Nothing was built yet.');

  const inputSchema = z.object({ target: z.string().default('everything') });
  server.registerTool('build', { description: 'Builds a target', inputSchema }, ({ target }) => {
    log.set(`${log.text}\nBuilt ${target}.`);
    return { content: [{ type: 'text', text: 'Done.' }] };
  });
  return server;
});
