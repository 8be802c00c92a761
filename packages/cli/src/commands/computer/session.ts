import { hostname } from 'node:os';
import { resolve } from 'node:path';
import {
  Computer,
  type Confirmation,
  type Face,
  faceOf,
  type InputStore,
  type McpServerStatus,
  type SkillsOptions,
} from '@a2c-smcp/computer';
import type { ListeningConsole } from '@a2c-smcp/console/owner';
import type { Logger } from '@a2c-smcp/core';
import type { MCPServerConfig } from '@a2c-smcp/protocol';
import type { World } from '../../command.ts';
import type { LogLevel } from '../../log.ts';
import type { Connection } from '../../options.ts';
import { showProgress } from '../../output/progress.ts';
import type { Terminal } from '../../output/terminal.ts';
import { addToFile, approveInFile, removeFromFile } from '../config/edit.ts';
import { askAt } from './ask.ts';
import { confirmAt } from './confirm.ts';
import { elicitAt } from './elicit.ts';
import { untilReached } from './reach-server.ts';
import type { ComputerRecords } from './records.ts';
import { askSignInAt } from './sign-in/at-terminal.ts';
import { ControlHost } from './sign-in/control-host.ts';

export interface SessionOptions {
  name: string | undefined;
  configFile: string | undefined;
  skills: SkillsOptions;
  /** Values of inputs from the command line. */
  inputValues: Record<string, string>;
  /** The folder for files of Agents; undefined when none are taken. */
  uploads: string | undefined;
  store: InputStore;
  /** The records of tools and their calls. */
  records: ComputerRecords;
  /** Where questions are answered besides the terminal. */
  faces?: readonly Face[];
  logger: Logger;
  logLevel: LogLevel;
  /** The MCP servers whose lines are shown as they come, and not in the log. */
  followed: Set<string>;
}

export interface PatienceOptions {
  signal: AbortSignal;
  /** Gets the error of each attempt after which it waits. */
  onWait: (error: Error) => void;
}

/** An MCP server that was added in the shell. */
export interface AddedServer {
  config: MCPServerConfig;
  /** Its file; undefined when it was typed. */
  file: string | undefined;
}

/** A Computer, its last connection, and the MCP servers that were added in the shell. */
export class ComputerSession implements AsyncDisposable {
  readonly computer: Computer;
  /** MCP servers that were added in the shell and are not in the configuration file. */
  readonly added: Map<string, AddedServer>;
  readonly configFile: string | undefined;
  readonly auditFile: string | undefined;
  readonly logger: Logger;
  /** The MCP servers whose lines the shell shows as they come. */
  readonly followed: Set<string>;
  /** The console, once it is open. */
  console: ListeningConsole | undefined;
  url: string | undefined;
  connection: Connection | undefined;
  #control: ControlHost | undefined;
  #waiting: { url: string; stop: AbortController } | undefined;

  private constructor(
    fields: Pick<ComputerSession, 'computer' | 'added' | 'configFile' | 'auditFile' | 'logger' | 'followed'>,
  ) {
    this.computer = fields.computer;
    this.added = fields.added;
    this.configFile = fields.configFile;
    this.auditFile = fields.auditFile;
    this.logger = fields.logger;
    this.followed = fields.followed;
  }

  static async open(options: SessionOptions, world: World): Promise<ComputerSession> {
    const { name = hostname(), configFile, skills, inputValues, uploads, store, records, logger, logLevel } = options;
    const { faces = [], followed } = options;
    const { terminal, env } = world;
    const added = new Map<string, AddedServer>();
    let computer: Computer | undefined;
    const remember = async ({ server, originalTool: tool }: Pick<Confirmation, 'server' | 'originalTool'>) => {
      if (computer) await approve(computer, { server, tool }, { configFile, added, isApproved: true });
    };
    let tellOpen: (computer: Computer) => void = () => {};
    const opened = new Promise<Computer>(resolve => {
      tellOpen = resolve;
    });
    using _ = showProgress(terminal, 'Starting MCP servers');
    computer = await Computer.open({
      name,
      store,
      env,
      inputValues,
      skills,
      logger,
      serverLogLevel: logLevel === 'debug' ? 'debug' : 'info',
      ...records,
      ...(configFile === undefined ? {} : { configFile }),
      ...(uploads === undefined ? {} : { uploads: { folder: resolve(uploads) } }),
      remember,
      faces: [...(terminal ? [terminalFace({ ...world, terminal }, opened)] : []), ...faces],
    });
    world.redaction.add(text => computer.redact(text));
    const auditFile = records.audit?.file;
    const session = new ComputerSession({ computer, added, configFile, auditFile, logger, followed });
    session.#control = await ControlHost.open(computer, configFile, env);
    tellOpen(computer);
    return session;
  }

  /** True if an MCP server is in the configuration file. */
  isSaved(name: string): boolean {
    const { configFile, added, computer } = this;
    return configFile !== undefined && !added.has(name) && Object.hasOwn(computer.config.servers, name);
  }

  /**
   * Adds an MCP server or changes one, in the configuration file if there is one. One of another file stays apart from
   * the inputs of that, and is there until this Computer ends.
   */
  async addServer(config: MCPServerConfig, file?: string): Promise<McpServerStatus> {
    const { computer, added, configFile } = this;
    if (configFile === undefined || file !== undefined) {
      added.set(config.name, { config, file });
      return computer.addServer(config, { file });
    }
    const { name, ...entry } = config;
    await addToFile(configFile, { servers: { [name]: entry } });
    added.delete(name);
    await computer.reloadConfig();
    return computer.settled(name);
  }

  /** Removes an MCP server, also from the configuration file. */
  async removeServer(name: string): Promise<void> {
    const { computer, added, configFile } = this;
    if (configFile === undefined || added.has(name)) {
      await computer.removeServer(name);
      added.delete(name);
      return;
    }
    await removeFromFile(configFile, name);
    await computer.reloadConfig();
  }

  /** Lets a tool run without confirmation, or not: in the configuration file, or for a server that was added, from now on. */
  async approve(tool: { server: string; tool: string }, isApproved = true): Promise<void> {
    await approve(this.computer, tool, { configFile: this.configFile, added: this.added, isApproved });
    await this.computer.reloadConfig();
  }

  /** The Server that `joinPatiently` waits for. */
  get awaitedUrl(): string | undefined {
    return this.#waiting?.url;
  }

  /** Joins an office, and gives up waiting for another Server. */
  async join(url: string, connection: Connection, signal: AbortSignal): Promise<void> {
    this.#waiting?.stop.abort();
    await this.#join(url, connection, signal);
  }

  /** Joins an office, and retries while no Server answers. Returns false when `join` was called meanwhile. */
  async joinPatiently(url: string, connection: Connection, options: PatienceOptions): Promise<boolean> {
    const stop = new AbortController();
    const waiting = { url, stop };
    const signal = AbortSignal.any([options.signal, stop.signal]);
    this.#waiting = waiting;
    try {
      await untilReached(() => this.#join(url, connection, signal), { ...options, signal });
      return true;
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      return false;
    } finally {
      if (this.#waiting === waiting) this.#waiting = undefined;
    }
  }

  async #join(url: string, connection: Connection, signal: AbortSignal): Promise<void> {
    await this.computer.join(url, { ...connection, signal });
    this.url = url;
    this.connection = connection;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#control?.[Symbol.asyncDispose]();
    await this.console?.close();
    await this.computer.close();
  }
}

/** The person at the terminal. */
function terminalFace(desk: World & { terminal: Terminal }, computer: Promise<Computer>): Face {
  const askSignIn = askSignInAt(desk, computer);
  return faceOf('terminal', { ask: askAt(desk), confirm: confirmAt(desk), elicit: elicitAt(desk), askSignIn });
}

interface ApprovalOptions {
  configFile: string | undefined;
  added: Map<string, AddedServer>;
  isApproved: boolean;
}

async function approve(
  computer: Computer,
  { server, tool }: { server: string; tool: string },
  { configFile, added, isApproved }: ApprovalOptions,
): Promise<void> {
  const known = added.get(server);
  if (known) {
    const { config, file } = known;
    const tool_meta = { ...config.tool_meta, [tool]: { ...config.tool_meta?.[tool], auto_apply: isApproved } };
    added.set(server, { config: { ...config, tool_meta }, file });
    await computer.addServer({ ...config, tool_meta }, { file });
  } else if (configFile !== undefined) await approveInFile(configFile, { server, tool }, isApproved);
}
