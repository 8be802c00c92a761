import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, textOf } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import type { TracedFrame } from '@a2c-smcp/core';
import { SmcpServer } from '@a2c-smcp/server';
import { scriptedServer } from '@a2c-smcp/testing';
import { expect } from 'vitest';
import { root } from '../packages.ts';
import { verifies } from './verifies.ts';

/** A certificate for tests, or its key. Worthless elsewhere. */
const pem = (name: string) => readFileSync(join(root, 'tests/fixtures/tls', `${name}.pem`), 'utf8');
/** Issued by the authority for the name `localhost`. */
const tls = { cert: pem('issued'), key: pem('issued-key') };
const servers = { tools: scriptedServer() };
const transports = ['polling', 'websocket'] as const;
/** The address by the name that the certificate has. */
const namedUrl = ({ url }: SmcpServer) => url.replace('127.0.0.1', 'localhost');

for (const transport of transports) {
  verifies(
    'transport.tls',
    async () => {
      await using server = await SmcpServer.listen({ port: 0, tls });
      await using computer = await Computer.open({ name: 'desk', servers });
      const used = new Set<string>();
      const trace = (frame: TracedFrame) => used.add(frame.transport);
      const options = { office: 'demo', ca: pem('authority'), transports: [transport], trace };
      for (const scheme of ['https', 'wss']) {
        const url = namedUrl(server).replace('https', scheme);
        await computer.join(url, options);
        await using agent = await Agent.connect(url, { ...options, name: 'assistant' });
        const result = await agent.callTool({ computer: 'desk', tool: 'echo', params: { text: 'hi' } });
        expect(JSON.parse(textOf(result))).toEqual({ text: 'hi' });
        await computer.leave();
      }
      expect([...used]).toEqual([transport]);
    },
    `over ${transport}`,
  );

  verifies(
    'transport.tls',
    async () => {
      await using server = await SmcpServer.listen({ port: 0, tls });
      await using computer = await Computer.open({ name: 'desk', servers: {} });
      const untrusted = { message: expect.stringContaining('is not trusted'), details: { reason: 'untrusted' } };
      for (const trusted of [{}, { ca: pem('other') }]) {
        const options = { ...trusted, office: 'demo', transports: [transport] };
        await expect(Agent.connect(namedUrl(server), { ...options, name: 'assistant' })).rejects.toMatchObject(
          untrusted,
        );
        await expect(computer.join(namedUrl(server), options)).rejects.toMatchObject(untrusted);
      }
      const options = { name: 'assistant', office: 'demo', ca: pem('authority'), transports: [transport] };
      await expect(Agent.connect(server.url, options)).rejects.toThrow('is for another name');
    },
    `a Server that is not trusted, over ${transport}`,
  );
}
