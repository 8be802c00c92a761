import { join } from 'node:path';
import type { MCPServerConfig, MCPServerInput } from '@a2c-smcp/protocol';
import { scriptedProgram } from '@a2c-smcp/testing';
import { root } from '../paths.ts';
import type { AgentPeer, AgentPeerOptions, ComputerPeer, Kind, ServerPeer, Tool } from '../peers/peer.ts';
import type { Wire } from '../wire.ts';

/** Which implementation plays which role. */
export interface Cell {
  agent: Kind;
  server: Kind;
  computer: Kind;
}

/** Everything a step of the story can use. */
export interface Scene {
  cell: Cell;
  key: string;
  office: string;
  server: ServerPeer;
  agent: AgentPeer;
  computer: ComputerPeer;
  /** The lines from the Agent and from the Computer to the Server. */
  wires: { agent: Wire; computer: Wire };
  /** The messages that the MCP server received, one per line. */
  mcpLog: string;
  /** The handles that the Agent was given, oldest first. */
  handles: readonly string[];
}

/** One thing that must work between three peers. */
export interface Step {
  name: string;
  /** Why it does not apply to a cell, if it does not. */
  unless?: (cell: Cell) => string | undefined;
  run: (scene: Scene) => Promise<void>;
}

export const AGENT = 'assistant';
export const COMPUTER = 'desk';
export const MCP_SERVER = 'fixture';
/** A skill of the Computer. The bytes take several parts, and the official SDKs call programs bytes. */
export const SKILL = {
  name: 'story-skill',
  text: '# Story\n\nRun ${TFROBOT_SKILL_DIR}/run.py.\n',
  files: {
    'SKILL.md':
      '---\nname: story-skill\ndescription: A skill of the story\ntags: [story]\n---\n# Story\n\nRun ${TFROBOT_SKILL_DIR}/run.py.\n',
    'run.py': 'print("grüße")\n',
    'long.md': 'ü'.repeat(100_000),
    'data.bin': Buffer.alloc(600_000, 'skill'),
  },
};

/** The window of the server that is made with `@a2c-smcp/publish`. */
export const PUBLISHED_WINDOW = 'window://com.example.build/log';
export const WINDOWS = ['window://fixture/notes', 'window://fixture/plan'];
/** A choice of the Computer that no MCP server uses. */
export const CHOICE: MCPServerInput & { type: 'pickString' } = {
  id: 'region',
  type: 'pickString',
  description: 'The region of the story',
  options: [
    { label: 'Europa', value: 'eu' },
    { label: '美国', value: 'us' },
  ],
  default: 'us',
};
/** The result of a typed tool. */
export const PICTURE_SCHEMA = {
  type: 'object',
  properties: {
    result: { type: 'object', properties: { data: { type: 'string' } }, required: ['data'] },
  },
  required: ['result'],
};
export const TOOLS = [
  'echo',
  'fail',
  'hang',
  'odd',
  'picture',
  'retool',
  'touch',
  { name: 'typed-picture', outputSchema: PICTURE_SCHEMA },
];

/** An MCP server that does what the script says. */
export function mcpServer(name: string, script: object): MCPServerConfig {
  return stdioServer(name, scriptedProgram, JSON.stringify(script));
}

/** An MCP server with one document. */
export function libraryServer(): MCPServerConfig {
  return stdioServer('library', join(root, 'tests/fixtures/library-mcp-server.mjs'));
}

/** An MCP server made with `@a2c-smcp/publish`, with one window. */
export function windowServer(): MCPServerConfig {
  return stdioServer('build', join(root, 'tests/fixtures/build-mcp-server.mjs'));
}

function stdioServer(name: string, ...args: string[]): MCPServerConfig {
  return {
    name,
    type: 'stdio',
    disabled: false,
    forbidden_tools: [],
    tool_meta: {},
    default_tool_meta: { auto_apply: true },
    server_parameters: { command: process.execPath, args },
  };
}

/** With the tools and windows that the story uses. */
export function mainMcpServer(log: string): MCPServerConfig {
  const resources = WINDOWS.map((uri, index) => ({ uri, name: uri, annotations: { priority: index / 2 } }));
  return mcpServer(MCP_SERVER, { tools: TOOLS, resources, subscribe: true, log });
}

/** How an Agent of the scene connects, with what is different this time. */
export function agentOptions({ wires, key, office }: Scene, different: Partial<AgentPeerOptions>): AgentPeerOptions {
  return { url: wires.agent.url, key, office, name: AGENT, ...different };
}

/** The name of a tool on the Computer: releases since 0.3 put the MCP server's name before it. */
export async function nameOf(tool: string, { agent }: Scene, computer = COMPUTER): Promise<string> {
  return findTool(tool, await agent.tools(computer)).name;
}

export function findTool(tool: string, tools: readonly Tool[]): Tool {
  const found = tools.find(({ name }) => name === tool || name.endsWith(`__${tool}`));
  if (!found) throw new Error(`No tool '${tool}' among ${tools.map(({ name }) => name).join(', ')}`);
  return found;
}
