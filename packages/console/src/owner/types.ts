import type {
  AttentionItem,
  AuditLine,
  CallForecast,
  CallToolResult,
  DPEDocumentSummary,
  McpServerStatus,
  PendingCall,
  Question,
  ResourceProblem,
  ServerLogLine,
  SMCPTool,
  ToolCallRecord,
  ToolSource,
} from '@a2c-smcp/computer';

/** The subject of a console, and where it runs. */
export interface About {
  /** Decides which screens there are. */
  surface: 'owner';
  /** The Computer. */
  name: string;
  /** Undefined outside of an office. */
  office?: string | undefined;
  /** The Server, while the Computer is in an office. */
  url?: string | undefined;
  connection: 'joined' | 'lost' | 'outside';
  /** The configuration file; undefined when there is none. */
  configFile?: string | undefined;
  /** True if tool calls are recorded in a file. */
  hasAudit: boolean;
}

/** An MCP server in a list. */
export interface ServerRow extends Omit<McpServerStatus, 'instructions' | 'stderr'> {
  /** Tools that an Agent sees. */
  offered: number;
  /** Bytes of all its processes. */
  memory?: number | undefined;
}

/** One MCP server. */
export interface ServerDetails extends ServerRow {
  instructions?: string | undefined;
  /** As an Agent sees it: literals masked. */
  config: Record<string, unknown>;
  /** True if it is in the configuration file, and not only in this run. */
  isSaved: boolean;
}

/** A line of a log, with the number that the next request names. */
export interface LogEntry extends ServerLogLine {
  /** Milliseconds since 1970. */
  at: number;
}

export interface LogPage {
  /** The number of the first line of this page; more than was asked for when older ones were dropped. */
  first: number;
  /** The number of the line that comes next. */
  next: number;
  lines: LogEntry[];
}

/** A tool in a list. */
export interface ToolRow {
  name: string;
  server: string;
  /** The first sentence of its description. */
  summary: string;
  /** Roughly how many tokens its definition takes of a model's context. */
  tokens: number;
  consent: CallForecast['decision'];
  isChanged: boolean;
  tags: readonly string[];
}

export interface ToolDetails extends ToolRow, ToolSource {
  tool: SMCPTool;
  why: string;
  change?: readonly string[] | undefined;
  annotations?: Record<string, unknown> | undefined;
  /** True if its owner lets it run unasked. */
  autoApply: boolean;
}

/** A call that has ended, without what only its own screen shows. */
export interface CallRow extends Omit<ToolCallRecord, 'parameters' | 'error'> {
  id: number;
  error?: string | undefined;
}

export interface CallDetails {
  pending?: PendingCall | undefined;
  record?: (ToolCallRecord & { id: number }) | undefined;
  /** Undefined while it runs, or when it was too large to be kept. */
  result?: CallToolResult | undefined;
}

export interface CallList {
  pending: readonly PendingCall[];
  /** Newest last. */
  ended: readonly CallRow[];
}

export interface DesktopView {
  /** Byte for byte what an Agent gets. */
  windows: string[];
  /** Items that are left out or ignored, with reasons. */
  problems: ResourceProblem[];
}

export interface FinderView {
  documents: DPEDocumentSummary[];
  totalCount: number;
  problems: ResourceProblem[];
}

/** An input of the configuration. Its value is never sent. */
export interface InputRow {
  id: string;
  type: string;
  description: string;
  isPassword: boolean;
  options?: readonly { value: string; label: string }[] | undefined;
  /** Where its value comes from, for each MCP server that needs it. */
  sources: readonly string[];
}

export interface AuditView {
  file: string | undefined;
  /** Newest first. */
  lines: AuditLine[];
}

/** The configuration file. */
export interface ConfigText {
  path: string;
  text: string;
  /** Names this text when it is replaced, so that a change of another program is not lost. */
  sum: string;
}

/** The first event of the stream. */
export interface OwnerSnapshot {
  about: About;
  attention: AttentionItem[];
  questions: readonly Question[];
  servers: ServerRow[];
  calls: CallList;
}
