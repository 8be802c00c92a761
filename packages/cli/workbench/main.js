// The MCP server of the demo: a few tools and two live windows. Its first argument is the folder whose files it shows.

import { setTimeout as delay } from 'node:timers/promises';
import { VERSION } from '@a2c-smcp/core';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { calculate } from './calculate.js';
import { Sandbox } from './sandbox.js';
import { systemStatus } from './status.js';

const STATUS = 'window://local.workbench/status';
const LOG = 'window://local.workbench/log';
const STATUS_INTERVAL_MS = 5000;
const MAX_LOG_LINES = 8;

const sandbox = new Sandbox(process.argv[2] ?? '.');
const log = [];

serveStdio(() => {
  const server = new McpServer(
    { name: 'workbench', version: VERSION },
    { capabilities: { tools: {}, resources: { subscribe: true, listChanged: true } } },
  );
  // Clients of the 2025 protocol subscribe to single resources. All get every update and ignore the others.
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  addWindows(server);
  addTools(server);
  return server;
});

function addWindows(server) {
  // The text changes when that is announced, and not with every read.
  let status = systemStatus();
  server.registerResource(
    'status',
    STATUS,
    { title: 'System status', mimeType: 'text/plain', annotations: { priority: 0.9, audience: ['assistant'] } },
    () => ({ contents: [{ uri: STATUS, mimeType: 'text/plain', text: status }] }),
  );
  const annotations = { priority: 0.5, audience: ['assistant'] };
  server.registerResource('log', LOG, { title: 'Log', mimeType: 'text/plain', annotations }, () => ({
    contents: [{ uri: LOG, mimeType: 'text/plain', text: log.slice(-MAX_LOG_LINES).join('\n') || '(empty)' }],
  }));
  setInterval(() => {
    status = systemStatus();
    changed(server, STATUS);
  }, STATUS_INTERVAL_MS).unref();
}

function addTools(server) {
  const readOnly = { readOnlyHint: true };
  tool(server, 'time', {
    description: 'The time now, in a time zone such as Europe/Berlin.',
    annotations: readOnly,
    inputSchema: z.object({ timezone: z.string().default('UTC').describe('An IANA time zone') }),
    run: ({ timezone }) =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long', timeZone: timezone }).format(new Date()),
  });
  tool(server, 'calculate', {
    description: 'The value of an arithmetic expression, as in sqrt(2) * (3 + 4).',
    annotations: readOnly,
    inputSchema: z.object({ expression: z.string() }),
    run: ({ expression }) => String(calculate(expression)),
  });
  tool(server, 'note', {
    description: 'Writes a line into the log window.',
    inputSchema: z.object({ text: z.string() }),
    run: async ({ text }) => {
      log.push(`${new Date().toISOString().slice(11, 19)}  ${text}`);
      await changed(server, LOG);
      return `Noted: ${text}`;
    },
  });
  tool(server, 'list_files', {
    description: 'The files of the demo folder, with their sizes in bytes.',
    annotations: readOnly,
    inputSchema: z.object({}),
    run: () => sandbox.list(),
  });
  tool(server, 'read_file', {
    description: 'The text of one file of the demo folder.',
    annotations: readOnly,
    inputSchema: z.object({ path: z.string() }),
    run: ({ path }) => sandbox.read(path),
  });
  tool(server, 'wait', {
    description: 'Does nothing for some seconds: cancel it and it stops.',
    annotations: readOnly,
    inputSchema: z.object({ seconds: z.number().min(0).max(600).default(10) }),
    run: async ({ seconds }, { signal }) => {
      await delay(seconds * 1000, undefined, { signal });
      return `Waited ${seconds} s`;
    },
  });
}

function tool(server, name, { run, ...config }) {
  server.registerTool(name, config, async (params, context) => {
    const text = await run(params, { signal: context.mcpReq.signal });
    return { content: [{ type: 'text', text }] };
  });
}

async function changed(server, uri) {
  // Fails when no client is connected.
  await server.server.sendResourceUpdated({ uri }).catch(() => {});
}
