import { isObject, readJson } from '@a2c-smcp/core';
import { type CallToolResult, failedResult, findTool, type SMCPTool, SmcpError } from '@a2c-smcp/protocol';
import type { Agent } from '../agent.ts';
import type { RequestOptions } from '../requests.ts';
import { toolMetaOf } from '../tool-meta.ts';
import { prefixedName, type ToolAddress, ToolNames } from './tool-names.ts';

/** Selects the tools for a model. Without any field, all of them. */
export interface ToolFilter {
  /** Only tools of these Computers. */
  computers?: readonly string[];
  /** Only tools that have one of these tags. */
  tags?: readonly string[];
  /** Only tools with these names, as their Computers call them, with or without the `bundle_id` of the MCP server. */
  names?: readonly string[];
}

/** A call that a model made. */
export interface ModelCall {
  /** The name by which the model called. */
  name: string;
  computer: string;
  /** As the Computer describes it. `annotationsOf` and `toolMetaOf` read its hints and tags. */
  tool: SMCPTool;
  params: Record<string, unknown>;
}

/** The options of all adapters. */
export interface ToolOptions extends ToolFilter {
  /**
   * Puts the name of the Computer before the names of all tools. Without it a tool has its own name while only one
   * Computer offers that; choose it for conversations that are continued in another process. @default false
   */
  alwaysPrefix?: boolean;
  /** Names of the program's own tools. Tools of the office never get them, and `run` leaves out their calls. */
  ownTools?: readonly string[];
  /** Asked before each call. False, or the reason as a text, refuses it; the model gets a failed result. */
  confirm?: (call: ModelCall, options: { signal?: AbortSignal | undefined }) => Answer | Promise<Answer>;
  /** Called before each call that is sent. */
  onCall?: (call: ModelCall) => void;
  /** Called with the result of each call that was sent. */
  onResult?: (call: ModelCall, result: CallToolResult) => void;
  /** Milliseconds that a tool may run, for all or by tool. @default `toolTimeout` of the Agent */
  timeout?: number | ((tool: SMCPTool, computer: string) => number | undefined);
}

/** True if a call may be made; a text is the reason why not. */
type Answer = boolean | string;

/** A tool under the name that the model sees. */
export interface OfferedTool {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  parameters: Record<string, unknown>;
}

/** The part of an Agent that the adapters need. */
export type ToolAgent = Pick<Agent, 'computers' | 'callTool'>;

/** A tool and where it is. */
interface PlacedTool extends ToolAddress {
  description: SMCPTool;
}

/** Names per Agent and options, so that an adapter that is made for each request gives a name to one machine only. */
const sharedNames = new WeakMap<ToolAgent, Map<string, ToolNames>>();
/** Sets of options of one Agent whose names are remembered. */
const MAX_SHARED = 100;

/** The tools of an office under names that every provider accepts. */
export class Toolbox {
  readonly #agent: ToolAgent;
  readonly #options: ToolOptions;
  readonly #names: ToolNames;

  constructor(agent: ToolAgent, options: ToolOptions = {}) {
    this.#agent = agent;
    this.#options = options;
    this.#names = namesFor(agent, options);
  }

  /** The tools of the office at the moment. */
  offer(): (OfferedTool & { tool: SMCPTool; computer: string })[] {
    const placed = this.#placed();
    const names = this.#names.assign(placed);
    const isSpread = new Set(placed.map(({ computer }) => computer)).size > 1;
    return placed.map(({ computer, description: tool }, index) => ({
      name: names[index] ?? '',
      description: isSpread ? `${tool.description}\n\nRuns on computer '${computer}'`.trimStart() : tool.description,
      parameters: { type: 'object', properties: {}, ...tool.params_schema },
      tool,
      computer,
    }));
  }

  /** True if a call of this name is one of the program's own tools. */
  isOwn(name: string): boolean {
    return this.#options.ownTools?.includes(name) ?? false;
  }

  /** True if a call of this name would reach a tool of the office. */
  has(name: string): boolean {
    return this.#addressOf(name) !== undefined;
  }

  /** Runs the call of a model. Every `SmcpError` becomes a failed result, so that the model can react. */
  async run(name: string, input: unknown, { signal, ...options }: RequestOptions = {}): Promise<CallToolResult> {
    const address = this.#addressOf(name);
    if (!address) return failedResult(`There is no tool '${name}'${this.#alternatives(name)}`);
    const params = readParams(input);
    if (!params) return failedResult(`The arguments of tool '${name}' are not a JSON object`);
    const { confirm, onCall, onResult, timeout } = this.#options;
    const { computer } = address;
    const tool = this.#describe(address);
    const call: ModelCall = { name, computer, tool, params };
    try {
      const answer = confirm ? await confirm(call, { signal }) : true;
      if (answer !== true) return refused(name, answer);
      onCall?.(call);
      const limit = typeof timeout === 'function' ? timeout(tool, computer) : timeout;
      const limits = { ...(limit === undefined ? {} : { timeout: limit }), ...options, ...(signal && { signal }) };
      const result = await this.#agent.callTool({ computer, tool: address.tool, params }, limits);
      onResult?.(call, result);
      return result;
    } catch (error) {
      if (!(error instanceof SmcpError)) throw error;
      return failedResult(error.message, { error_code: error.code });
    }
  }

  /** In the order of the Computers' names, so that it does not depend on who came first. */
  #placed(): PlacedTool[] {
    const { computers } = this.#options;
    return [...this.#agent.computers]
      .filter(([computer]) => !computers || computers.includes(computer))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([computer, { tools }]) =>
        select(tools, this.#options).map(tool => ({ computer, tool: tool.name, description: tool })),
      );
  }

  /**
   * The tool of a name: as it was offered, else as it would be offered now, for conversations that began elsewhere. Models
   * may also leave out the `bundle_id` or add it, or add the Computer, if one tool is meant.
   */
  #addressOf(name: string): ToolAddress | undefined {
    const known = this.#names.addressOf(name);
    if (known || this.isOwn(name)) return known;
    const placed = this.#placed();
    const offered = this.#names.assign(placed).indexOf(name);
    if (offered !== -1) return placed[offered];
    const prefixed = placed.filter(address => prefixedName(address) === name);
    const candidates = prefixed.length > 0 ? prefixed : this.#called(name, placed);
    return candidates.length === 1 ? candidates[0] : undefined;
  }

  #called(name: string, placed: readonly PlacedTool[]): ToolAddress[] {
    const computers = new Map<string, SMCPTool[]>();
    for (const { computer, description } of placed)
      computers.set(computer, [...(computers.get(computer) ?? []), description]);
    return [...computers].flatMap(([computer, tools]) => {
      const tool = findTool(tools, name);
      return tool ? [{ computer, tool: tool.name }] : [];
    });
  }

  /** The names of the tools that are called so on several Computers. */
  #alternatives(name: string): string {
    const placed = this.#placed();
    const names = this.#names.assign(placed).filter((_, index) => placed[index]?.tool === name);
    return names.length === 0 ? '' : `; use one of ${names.map(other => `'${other}'`).join(', ')}`;
  }

  /** A tool that is not listed any more is described by its name alone. */
  #describe({ computer, tool }: ToolAddress): SMCPTool {
    const listed = this.#agent.computers.get(computer)?.tools.find(({ name }) => name === tool);
    return listed ?? { name: tool, description: '', params_schema: {}, return_schema: null };
  }
}

function namesFor(agent: ToolAgent, { computers, tags, names, alwaysPrefix, ownTools }: ToolOptions): ToolNames {
  const shared = sharedNames.get(agent) ?? new Map<string, ToolNames>();
  sharedNames.set(agent, shared);
  const key = JSON.stringify([computers, tags, names, alwaysPrefix, ownTools]);
  const found = shared.get(key) ?? new ToolNames({ alwaysPrefixed: alwaysPrefix, reserved: ownTools });
  shared.delete(key);
  shared.set(key, found);
  for (const oldest of shared.keys()) if (shared.size > MAX_SHARED) shared.delete(oldest);
  return found;
}

function refused(name: string, answer: false | string): CallToolResult {
  return failedResult(`The call of tool '${name}' was refused${answer === false ? '' : `: ${answer}`}`);
}

function select(tools: readonly SMCPTool[], { tags, names }: ToolFilter): SMCPTool[] {
  const named = names && new Set(names.map(name => findTool(tools, name)));
  const isTagged = (tool: SMCPTool) => !tags || (toolMetaOf(tool).tags ?? []).some(tag => tags.includes(tag));
  return tools.filter(tool => (!named || named.has(tool)) && isTagged(tool));
}

/** Some providers send the arguments as JSON text, and an empty text for none. */
function readParams(input: unknown): Record<string, unknown> | undefined {
  const value = typeof input === 'string' ? readJson(input.trim() || '{}') : (input ?? {});
  return isObject(value) ? { ...value } : undefined;
}
