import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Computer, type ComputerOptions, type LocalTool } from '@a2c-smcp/computer';
import { Peer } from '@a2c-smcp/peer';
import type { CallToolResult, ClientEvent, RequestOf, ResponseOf } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { onTestFinished, vi } from 'vitest';
import { temporaryFolder } from './temporary.ts';

/** An Agent that fetches nothing by itself. */
export interface BareAgent {
  peer: Peer;
  ask<E extends ClientEvent>(event: E, fields?: Partial<RequestOf<E>>): Promise<ResponseOf<E>>;
  callTool(tool: string, fields?: { params?: Record<string, unknown>; req_id?: string }): Promise<CallToolResult>;
}

export interface BlobOffice extends AsyncDisposable {
  server: SmcpServer;
  computer: Computer;
  /** Joins the office as its Agent, with a protocol version. */
  join(version?: string, name?: string): Promise<BareAgent>;
  /** The files and folders that the Computer made in the folder for temporary files. */
  temporaryFiles(): string[];
}

export interface BlobOfficeOptions {
  computer?: Partial<ComputerOptions>;
  /** The limit of the Server. */
  messageBytes?: number;
  office?: string;
}

/** An office with one Computer, whose temporary files are in a folder of their own. */
export async function openBlobOffice(
  tools: Record<string, LocalTool>,
  { computer: options, messageBytes = 16 * 1024 * 1024, office = 'demo' }: BlobOfficeOptions = {},
): Promise<BlobOffice> {
  const temporary = temporaryFolder();
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const acceptVersions = ['0.2', '0.4'];
  const server = await SmcpServer.listen({ port: 0, gracePeriod: 0, acceptVersions, limits: { messageBytes } });
  const computer = await Computer.open({ name: 'desk', tools, ...options });
  await computer.join(server.url, { office, protocolVersion: '0.4.0' });
  const joined: Peer[] = [];
  return {
    server,
    computer,
    temporaryFiles: () => readdirSync(temporary, { recursive: true }).map(name => join(temporary, String(name))),
    async join(protocolVersion = '0.4.0', name = 'assistant') {
      const peer = await Peer.join(server.url, { role: 'agent', name, office, protocolVersion });
      joined.push(peer);
      const ask: BareAgent['ask'] = (event, fields) => {
        const identity = { agent: name, computer: 'desk', req_id: crypto.randomUUID() };
        return peer.call(event, { ...identity, ...fields } as RequestOf<typeof event>, { timeout: 30_000 });
      };
      const callTool: BareAgent['callTool'] = (tool, fields) =>
        ask('client:tool_call', { tool_name: tool, params: {}, timeout: 20, ...fields });
      return { peer, ask, callTool };
    },
    async [Symbol.asyncDispose]() {
      for (const peer of joined) await peer.close();
      await computer.close();
      await server.close();
    },
  };
}
