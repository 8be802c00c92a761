import type { MCPServerConfig, MCPServerInput } from '@a2c-smcp/protocol';
import type { Hearing } from '../hearing.ts';

/** One implementation of all roles, as the matrix knows it. */
export interface Kind {
  /** As in `ours` and `python-0.1.2`. */
  id: string;
  /** The protocol version its clients tell and its Server asks for. Undefined: it knows no handshake. */
  protocolVersion?: string;
  /** The parts of the later protocol that it knows. */
  knows: ReadonlySet<Topic>;
  serve(options: ServeOptions): Promise<ServerPeer>;
  connectAgent(options: AgentPeerOptions): Promise<AgentPeer>;
  openComputer(options: ComputerPeerOptions): Promise<ComputerPeer>;
  /** Ends what it runs. */
  close(): Promise<void>;
}

export type Topic = 'desktop' | 'resources' | 'finder' | 'skills' | 'skill-files' | 'uploads' | 'labels';

export interface ServeOptions {
  key: string;
  /** `MAJOR.MINOR` lines to accept, for Servers that can choose. */
  versions?: readonly string[] | undefined;
  /** Has it use the provider that it brings along, for those that are given another one. */
  ownProvider?: boolean;
}

export interface ServerPeer extends AsyncDisposable {
  url: string;
}

export interface AgentPeerOptions {
  url: string;
  key: string;
  name: string;
  office: string;
  /** The protocol version to state, for clients that can choose. */
  protocolVersion?: string;
  /** Seconds for every tool call, for clients that have one limit for all. */
  toolSeconds?: number;
  /** Has it ask to be let in, and throw the reason if it is not; clients that only tell are made to ask. */
  mustAsk?: boolean;
}

export interface ToolCall {
  computer: string;
  tool: string;
  params?: Record<string, unknown>;
}

export interface ToolResult {
  isError?: boolean;
  content: { type: string; [field: string]: unknown }[];
  structuredContent?: unknown;
  meta?: Record<string, unknown> | null;
}

export interface Tool {
  name: string;
  params_schema?: unknown;
  return_schema?: unknown;
  meta?: unknown;
}

/** The configuration of a Computer as an Agent sees it. */
export interface ShownConfig {
  servers?: Record<string, { name?: string }>;
  inputs?: readonly { id?: string; type?: string; options?: readonly unknown[] }[] | null;
}

/** An Agent in an office. `hearing`: enter, leave, tools, and changed-tools, -config, -desktop, -skills. */
export interface AgentPeer extends AsyncDisposable {
  readonly hearing: Hearing;
  tools(computer: string): Promise<Tool[]>;
  /** @param seconds how long the tool may run */
  callTool(call: ToolCall, seconds?: number): Promise<ToolResult>;
  /** Cancels the call once `running` resolves. */
  callAndCancel(call: ToolCall, running: Promise<unknown>): Promise<ToolResult>;
  desktop(computer: string, options?: { size?: number; window?: string }): Promise<string[]>;
  config(computer: string): Promise<ShownConfig>;
  /** The names of the Computers in the office. */
  computers(): Promise<string[]>;
  resources(computer: string, server: string): Promise<{ uri: string }[]>;
  /** The addresses of the documents in the Finder. Absent: it knows no Finder. */
  documents?(computer: string): Promise<string[]>;
  /** The text of a page of a document, counted from 0. */
  readPage?(computer: string, uri: string, page: number): Promise<string>;
  /** Sends a file to a Computer and returns its path there. Absent: it knows no uploads. */
  upload?(computer: string, name: string, bytes: Uint8Array): Promise<string>;
  /** The bytes behind a handle, in base64. Absent: it knows no handles. */
  readBlob?(computer: string, handle: string): Promise<string>;
  /** The names of the skills. Absent, as is the next: it cannot read skills. */
  skills?(computer: string): Promise<string[]>;
  /** The bytes of a file of a skill, in base64. */
  skillFile?(computer: string, name: string, path: string): Promise<string>;
  /** Asks to join as a Computer on the same connection, and returns why it may not. Absent: it cannot even ask. */
  changeRole?(): Promise<string>;
}

export interface ComputerPeerOptions {
  url: string;
  key: string;
  name: string;
  servers: readonly MCPServerConfig[];
  inputs?: readonly MCPServerInput[];
  /** A folder whose folder `user` has skills. */
  skillHome?: string;
  /** Milliseconds after which handles end, for Computers that end them. */
  handleAge?: number;
}

/** A Computer whose MCP servers run. */
export interface ComputerPeer extends AsyncDisposable {
  join(office: string): Promise<void>;
  leave(): Promise<void>;
  /** Adds an MCP server and announces the new configuration. */
  addServer(config: MCPServerConfig): Promise<void>;
  /** Makes the bytes behind its handles older. Absent: they have an age of their own. */
  age?(seconds: number): Promise<void>;
  /** Announces that its skills changed. Absent: it knows no skills. */
  announceSkills?(): Promise<void>;
}
