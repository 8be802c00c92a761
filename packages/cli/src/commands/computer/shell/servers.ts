import type { Computer, McpServerStatus } from '@a2c-smcp/computer';
import { fieldsOf, isObject } from '@a2c-smcp/core';
import { type MCPServerConfig, parseComputerConfig } from '@a2c-smcp/protocol';
import { UsageError } from '../../../command.ts';
import { prettyJson } from '../../../output/json.ts';
import { sizeText } from '../../../output/size.ts';
import type { Style } from '../../../output/style.ts';
import { columns, safeText, table } from '../../../output/table.ts';
import { shownUrl } from '../../../output/url.ts';
import { textWidth, wrap } from '../../../output/wrap.ts';
import type { ComputerSession } from '../session.ts';
import { signInAt } from '../sign-in/at-terminal.ts';
import {
  fileOf,
  readJsonOrFile,
  requiredServer,
  type ShellCommands,
  type ShellInvocation,
  serverNames,
} from './shell-command.ts';

/** The commands about MCP servers. */
export const serverCommands: ShellCommands = {
  status: {
    summary: 'The connection and the state of each MCP server',
    async run({ session, print, style }) {
      for (const line of statusLines(session, style)) print(line);
    },
  },
  mcp: {
    summary: 'The configuration, as the Agent sees it',
    async run({ session, print }) {
      print(prettyJson(session.computer.config));
    },
  },
  server: {
    args: 'NAME',
    summary: 'One MCP server: its state, its process, and how to use it in its own words',
    complete: serverNames,
    async run({ session: { computer }, args, print, style }) {
      const memory = await computer.memory();
      for (const line of describeServer(requiredServer(args), computer, { style, memory })) print(line);
    },
  },
  'server add': {
    args: 'JSON|@FILE',
    summary: 'Add an MCP server, or change one; JSON is written into the configuration file',
    isPrivate: true,
    run: addServers,
  },
  'server rm': {
    args: 'NAME',
    summary: 'Remove an MCP server, also from the configuration file',
    complete: serverNames,
    run: removeServer,
  },
  start: {
    args: 'NAME|all',
    summary: 'Start or restart an MCP server',
    complete: withAll,
    run: invocation =>
      forEach(invocation, (name, { computer }) => {
        const isDisabled = computer.status().some(server => server.name === name && server.state === 'disabled');
        return isDisabled ? computer.enableServer(name) : computer.restartServer(name);
      }),
  },
  stop: {
    args: 'NAME|all',
    summary: 'Stop an MCP server but keep it in the configuration',
    complete: withAll,
    run: invocation => forEach(invocation, (name, { computer }) => computer.disableServer(name)),
  },
  'sign-in': {
    args: 'NAME',
    summary: 'Sign in to an MCP server that wants OAuth',
    complete: serverNames,
    async run({ session, args, print, ...world }) {
      print(await signInAt(session.computer, requiredServer(args), { ...world, print }));
    },
  },
  'sign-out': {
    args: 'NAME',
    summary: 'Give back and forget what a sign-in granted',
    complete: serverNames,
    async run({ session, args, print }) {
      const name = requiredServer(args);
      await session.computer.signOut(name);
      print(`Signed out of '${name}'`);
    },
  },
  stderr: {
    args: 'NAME',
    summary: 'The last lines of an MCP server on its standard error',
    complete: serverNames,
    async run({ session, args, print }) {
      const name = requiredServer(args);
      const lines = session.computer.stderr(name);
      for (const line of lines) print(safeText(line));
      const isProcess = session.computer.status().some(server => server.name === name && server.type === 'stdio');
      if (lines.length === 0)
        print(isProcess ? `'${name}' has written nothing` : `'${name}' is no process of this machine`);
    },
  },
};

/** The table of MCP servers that `status` shows, with the number of tools that an Agent sees. */
export function serverTable(servers: readonly McpServerStatus[], { tools, config }: Computer, style: Style): string[] {
  const rows = servers.map(({ name, type, state, auth, pid, error }) => [
    name,
    state,
    auth ?? '',
    String(tools.filter(({ bundle_id }) => bundle_id === config.servers[name]?.bundle_id).length),
    type,
    pid === undefined ? '' : String(pid),
    error ?? '',
  ]);
  const colours: Record<string, (text: string) => string> = {
    ready: style.green,
    failed: style.red,
    starting: style.yellow,
    'sign-in-needed': style.yellow,
    refused: style.red,
  };
  // Most Computers have no server that wants a sign-in.
  const hasSignIn = servers.some(({ auth }) => auth !== undefined);
  const isPainted = (column: number) => column === 1 || (column === 2 && hasSignIn);
  const paint = (cell: string, column: number) => (isPainted(column) ? (colours[cell] ?? style.dim)(cell) : cell);
  const head = ['MCP SERVER', 'STATE', 'SIGN-IN', 'TOOLS', 'TYPE', 'PID', 'PROBLEM'];
  const shown = (row: string[]) => (hasSignIn ? row : row.toSpliced(2, 1));
  return table(shown(head), rows.map(shown), { style, paint });
}

function describeServer(
  name: string,
  computer: Computer,
  { style, memory }: { style: Style; memory: ReadonlyMap<string, number> },
): string[] {
  const server = computer.status().find(each => each.name === name);
  if (!server) throw new UsageError(`There is no MCP server '${name}': 'status' lists them`);
  const { type, pid, era, restarts, instructions } = server;
  const facts = [
    ['Type', type + (pid === undefined ? '' : `, process ${pid}`)],
    ...(era === undefined ? [] : [['MCP', era === 'modern' ? 'of 2026' : 'of 2025 or before']]),
    ['Restarts', String(restarts)],
    ...(memory.has(name) ? [['Memory', sizeText(memory.get(name) ?? 0)]] : []),
  ];
  const text = instructions === undefined ? [] : wrap(safeText(instructions), textWidth(style) - 2);
  return [
    ...serverTable([server], computer, style),
    ...columns(facts.map(([label = '', value = '']) => [style.dim(label), value])),
    ...(text.length > 0 ? [style.dim('Instructions'), ...text.map(line => `  ${line}`)] : []),
  ];
}

function statusLines({ computer, url = '', awaitedUrl }: ComputerSession, style: Style): string[] {
  const { office, name } = computer;
  const outside =
    awaitedUrl === undefined
      ? "not connected: 'socket connect URL'"
      : `waiting for a Server at ${shownUrl(awaitedUrl)}; 'socket connect URL' names another`;
  const where = office === undefined ? outside : `in office '${office}' of ${shownUrl(url)}`;
  const servers = computer.status();
  return [
    `Computer ${style.bold(name)} ${where}`,
    ...(servers.length > 0
      ? serverTable(servers, computer, style)
      : ["No MCP servers: 'a2c add', 'server add JSON' or --config FILE"]),
  ];
}

/** Accepts one configuration with its name, a list of them, or a whole file with `servers`. */
function readServers(data: unknown): MCPServerConfig[] {
  const hasServers = isObject(data) && 'servers' in data;
  const servers = hasServers ? data.servers : Object.fromEntries([data].flat().map(each => [nameOf(each), each]));
  return Object.values(parseComputerConfig({ servers }).servers);
}

function nameOf(config: unknown): string {
  const { name } = fieldsOf(config);
  if (typeof name === 'string' && name !== '') return name;
  throw new UsageError("server add: the configuration needs a 'name'");
}

async function addServers({ session, rest, print, style }: ShellInvocation): Promise<void> {
  const file = fileOf(rest);
  const configs = readServers(await readJsonOrFile('server add', rest));
  for (const config of configs) {
    const servers = [await session.addServer(config, file)];
    for (const line of serverTable(servers, session.computer, style)) print(line);
    if (session.isSaved(config.name)) print(`Written to ${session.configFile}`);
  }
  if (file !== undefined) print(`They stay until this Computer ends; 'a2c import ${file}' keeps them`);
  else if (session.configFile === undefined) print("It stays until this Computer ends; 'a2c add' keeps one");
}

async function removeServer({ session, args, print }: ShellInvocation): Promise<void> {
  const name = requiredServer(args);
  const place = session.isSaved(name) ? ` from ${session.configFile}` : '';
  await session.removeServer(name);
  print(`Removed '${name}'${place}`);
}

async function forEach(
  { session, args, print, style }: ShellInvocation,
  act: (name: string, session: ComputerSession) => Promise<McpServerStatus>,
): Promise<void> {
  const name = requiredServer(args);
  const names = name === 'all' ? serverNames(session) : [name];
  const servers = await Promise.all(names.map(each => act(each, session)));
  for (const line of serverTable(servers, session.computer, style)) print(line);
}

function withAll(session: ComputerSession): string[] {
  return [...serverNames(session), 'all'];
}
