import type { Logger } from '@a2c-smcp/core';
import type { ComputerConfigFile, MCPServerInput, PolicyRule, QuestionSettings } from '@a2c-smcp/protocol';
import type { AuditOptions } from './audit/audit-log.ts';
import type { SpoolOptions } from './blobs/spool.ts';
import type { UploadOptions } from './blobs/uploads.ts';
import type { Confirm, Elicit } from './consent/confirm.ts';
import type { Ask } from './inputs/inputs.ts';
import type { InputStore } from './inputs/store.ts';
import type { LoggingLevel } from './mcp/server-log.ts';
import type { Sample } from './mcp/session/sampling.ts';
import type { LocalTool } from './mcp/transport/function-server.ts';
import type { LocalMcpServer } from './mcp/transport/local.ts';
import type { ConfirmationQuestion } from './questions/question.ts';
import type { Face } from './questions/questions.ts';
import type { SkillsOptions } from './skills/skills.ts';
import type { ResultTransformer } from './tools/transformer.ts';

export interface PinsOptions {
  /** Keeps the definitions beyond the life of the Computer. The file is for its owner alone. */
  file?: string;
}

export interface ComputerOptions {
  /** Unique among the Computers of an office. */
  name: string;
  /** MCP servers by name. */
  servers?: ComputerConfigFile['servers'];
  /** Tools that are functions of this process; the MCP server that they make up is called `local`. */
  tools?: Readonly<Record<string, LocalTool>>;
  /** MCP servers in this process by name, such as `McpServer` objects of the official SDK. Their tools run unasked. */
  localServers?: Readonly<Record<string, LocalMcpServer>>;
  /** The values that configurations refer to as `${input:id}`. */
  inputs?: readonly MCPServerInput[];
  /**
   * A file with inputs and servers: our own, VS Code's `mcp.json`, Claude Desktop's or Cursor's. It is watched, and
   * its changes are applied.
   */
  configFile?: string;
  /**
   * Names the configuration that `servers` and `inputs` make up. Stored values of inputs belong to it, as those of
   * `configFile` belong to that file; no other configuration gets them. @default the Computer's name
   */
  configuration?: string;
  /** Values of inputs by id. They win over the environment, the store, a person and the default. */
  inputValues?: Readonly<Record<string, string>>;
  /** Asks a person for an input. Without it, inputs come from the environment, the store or their default. */
  ask?: Ask;
  /** Asks a person before a tool runs that is not `auto_apply`. Without it such tools are refused. */
  confirm?: Confirm;
  /** Answers the questions of MCP servers (elicitation). Without it elicitation is not declared. */
  elicit?: Elicit;
  /** Asks a model for MCP servers (sampling). Without it sampling is not declared. */
  sample?: Sample;
  /** Answer questions from the start, besides `confirm`, `elicit` and `ask`. Others may attend `computer.questions` later. */
  faces?: readonly Face[];
  /** Stores that a tool runs unasked from now on. Without it, the answer `always` counts for the Agent's session. */
  remember?: (confirmation: ConfirmationQuestion) => Promise<void>;
  /** Rules about tool calls, before those of the configuration file. Of those that match a call a `deny` wins, then the first. */
  policy?: readonly PolicyRule[];
  /** Further answerers for questions of MCP servers. @default that of the configuration file, else none */
  questions?: QuestionSettings;
  /**
   * Remembers the definition of each tool that was used, and asks again when it has changed; `false` does not.
   * @default for the life of the Computer
   */
  pins?: PinsOptions | false;
  /** Records every tool call in a file. @default none */
  audit?: AuditOptions;
  /** Where the values of inputs are kept: `memoryStore`, `fileStore` or `keychainStore`. @default in memory */
  store?: InputStore;
  /**
   * A folder for its owner alone that caches what MCP servers list. The next Computer lists their tools before they have
   * started, and lazy ones need not start with it.
   * @default none: `open` waits for all servers, and lazy ones start once
   */
  catalogFolder?: string;
  /** Skills for Agents, besides those of its MCP servers. @default none */
  skills?: SkillsOptions;
  /** Adds to results. @default what the `vrl` scripts of the configuration say */
  transformer?: ResultTransformer;
  /** The environment that inputs and `${env:NAME}` are looked up in. @default process.env */
  env?: Record<string, string | undefined>;
  /**
   * Bytes of an image, audio or file in a result that are sent with it to an Agent that fetches larger ones by itself.
   * @default 1 MiB
   */
  inlineBudget?: number;
  /** Limits of the bytes that wait on disk until an Agent has fetched them. */
  spool?: SpoolOptions;
  /** Lets Agents send files to a folder of this machine. @default none are taken */
  uploads?: UploadOptions;
  /** True if an Agent sees the literals of the configuration, credentials included. @default false */
  exposeSecrets?: boolean;
  /** Milliseconds an MCP server may take to start. @default 60_000 */
  startTimeout?: number;
  /** Milliseconds an MCP server may take to list or read something. @default 25_000, less than a Server waits */
  requestTimeout?: number;
  /** Milliseconds of silence after which an MCP server must answer a ping. @default 30_000 */
  pingInterval?: number;
  /** Milliseconds that `open` waits for servers to start without one of them becoming ready or failing. @default 10_000 */
  patience?: number;
  /** The least important log messages that MCP servers are asked for. @default 'info' */
  serverLogLevel?: LoggingLevel;
  /** @default silent */
  logger?: Logger;
}
