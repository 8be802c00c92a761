import { readFileSync } from 'node:fs';
import { Computer, type ComputerOptions, type McpServerState } from '@a2c-smcp/computer';
import { Peer } from '@a2c-smcp/peer';
import type { CallToolResult, ClientEvent, RequestOf, ResponseOf } from '@a2c-smcp/protocol';
import type { SmcpServer } from '@a2c-smcp/server';
import { openOffice as open, scriptedServer as scripted } from '@a2c-smcp/testing';
import type { Socket } from 'socket.io';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { joinAnswers, openForeignServer } from '../peer/foreign-server.ts';

export { textOf } from '@a2c-smcp/computer';
export {
  type RecordingLogger as Log,
  recordingLogger,
  scriptedProgram as fixture,
  scriptedServer as scripted,
} from '@a2c-smcp/testing';
export { eventually } from '../eventually.ts';

/** Opens a Computer with scripted servers, by name. */
export function openComputer(
  scripts: Record<string, object>,
  options: Partial<ComputerOptions> = {},
): Promise<Computer> {
  const servers = Object.entries(scripts).map(([name, script]) => [name, scripted(script, { name })]);
  return Computer.open({ name: 'desk', servers: Object.fromEntries(servers), ...options });
}

export interface Office extends AsyncDisposable {
  server: SmcpServer;
  computer: Computer;
  agent: Peer;
  /** Sends the Agent's request to the Computer; identity fields are filled in. */
  ask<E extends ClientEvent>(event: E, fields?: Partial<RequestOf<E>>): Promise<ResponseOf<E>>;
  callTool(tool: string, params?: object, fields?: { timeout?: number; req_id?: string }): Promise<CallToolResult>;
}

/** A Server, a Computer and a bare Agent in one office. */
export async function openOffice(options: Partial<ComputerOptions> = {}): Promise<Office> {
  const desk = { servers: { scripted: scripted() }, ...options };
  const { server, computers, ...office } = await open({ desk }, { office: 'demo' });
  const computer = computers.desk;
  const agent = await Peer.join(server.url, {
    role: 'agent',
    name: 'assistant',
    office: 'demo',
    protocolVersion: '0.2.0',
  });
  const ask: Office['ask'] = (event, fields) => {
    const identity = { agent: 'assistant', computer: 'desk', req_id: crypto.randomUUID() };
    return agent.call(event, { ...identity, ...fields } as RequestOf<typeof event>, { timeout: 30_000 });
  };
  return {
    server,
    computer,
    agent,
    ask,
    callTool: (tool, params = {}, fields = {}) =>
      ask('client:tool_call', { tool_name: tool, params: { ...params }, timeout: 20, ...fields }),
    async [Symbol.asyncDispose]() {
      await agent.close();
      await office[Symbol.asyncDispose]();
    },
  };
}

export function stateOf(computer: Computer, server: string): McpServerState | undefined {
  return computer.status().find(({ name }) => name === server)?.state;
}

/** True if a process runs. One that has ended but was not yet reaped by its parent does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

export async function expectGone(pids: readonly number[], timeout?: number): Promise<void> {
  await eventually(() => expect(pids.filter(isRunning)).toEqual([]), timeout);
}

export interface BareOffice extends AsyncDisposable {
  computer: Computer;
  /** Sends an event straight to the Computer and returns its acknowledgement; no Server of ours stands between. */
  ask(event: string, payload: unknown): Promise<unknown>;
  /** Sends a notification straight to the Computer. */
  tell(event: string, payload: unknown): void;
  /** The messages that the Computer has sent, in order. */
  heard: [event: string, payload: unknown][];
  /** The Socket.IO handshake of its connection. */
  handshake: Socket['handshake'];
}

/** A Computer whose other end is a bare socket in the hands of the test. */
export async function openBareOffice(options: Partial<ComputerOptions> = {}): Promise<BareOffice> {
  const heard: BareOffice['heard'] = [];
  let socket: Socket | undefined;
  const server = await openForeignServer({
    connected: connected => {
      socket = connected;
      connected.onAny((event: string, payload: unknown) => heard.push([event, payload]));
      joinAnswers(true, null)(connected);
      connected.on('server:leave_office', (_, answer) => answer(true, null));
    },
  });
  const computer = await Computer.open({ name: 'desk', servers: { scripted: scripted() }, ...options });
  await computer.join(server.url, { office: 'demo' });
  if (!socket) throw new Error('The Computer did not connect');
  const { handshake } = socket;
  const end = socket;
  return {
    computer,
    heard,
    handshake,
    tell: (event, payload) => void end.emit(event, payload),
    ask: (event, payload) => end.timeout(10_000).emitWithAck(event, payload),
    async [Symbol.asyncDispose]() {
      await computer.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
