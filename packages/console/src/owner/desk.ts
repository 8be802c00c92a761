import type { Computer, MCPServerConfig, McpServerStatus } from '@a2c-smcp/computer';
import type { ConfigText } from './types.ts';

/** The configuration file of a Computer, for a console that may change it. */
export interface ConfigurationFile {
  read(): Promise<ConfigText>;
  /** Throws a `ConfigError` when the Computer could not use the text. Writes nothing. */
  check(text: string): Promise<void>;
  /** Replaces the text that has this sum. Throws when it is another by now, or cannot be used. */
  write(text: string, sum: string): Promise<void>;
}

/** The parts of the program around a Computer that its console uses. */
export interface OwnerDesk {
  computer: Computer;
  /** The Server, while the Computer is in an office. */
  serverUrl?: () => string | undefined;
  /** Undefined when there is none. */
  configuration?: ConfigurationFile | undefined;
  configFile?: string | undefined;
  auditFile?: string | undefined;
  /** Adds an MCP server or changes one, for good if there is a configuration file. */
  addServer?: (config: MCPServerConfig) => Promise<McpServerStatus>;
  removeServer?: (name: string) => Promise<void>;
  /** True if an MCP server is in the configuration file. */
  isSaved?: (name: string) => boolean;
  /** Lets a tool run unasked, or not. */
  setAutoApply?: (tool: { server: string; tool: string }, value: boolean) => Promise<void>;
}
