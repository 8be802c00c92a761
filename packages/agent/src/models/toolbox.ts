import { isObject, readJson } from '@a2c-smcp/core';
import { type CallToolResult, failedResult, findTool, type SMCPTool, SmcpError } from '@a2c-smcp/protocol';
import type { Agent } from '../agent.ts';
import type { RequestOptions } from '../requests.ts';
import { toolMetaOf } from '../tool-meta.ts';
import { type ToolAddress, ToolNames } from './tool-names.ts';

/** Selects the tools for a model. Without any field, all of them. */
export interface ToolFilter {
  /** Only tools of these Computers. */
  computers?: readonly string[];
  /** Only tools that have one of these tags. */
  tags?: readonly string[];
  /** Only tools with these names, as their Computers call them, with or without the `bundle_id` of the MCP server. */
  names?: readonly string[];
}

/** A tool under the name that the model sees. */
export interface OfferedTool {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  parameters: Record<string, unknown>;
}

/** The part of an Agent that the adapters need. */
export type ToolAgent = Pick<Agent, 'computers' | 'callTool'>;

/** The tools of an office under names that every provider accepts. */
export class Toolbox {
  readonly #agent: ToolAgent;
  readonly #filter: ToolFilter;
  readonly #names = new ToolNames();

  constructor(agent: ToolAgent, filter: ToolFilter = {}) {
    this.#agent = agent;
    this.#filter = filter;
  }

  /** The tools of the office at the moment. */
  offer(): OfferedTool[] {
    const chosen = this.#chosen().flatMap(({ computer, tools }) => tools.map(tool => ({ computer, tool })));
    const isSpread = new Set(chosen.map(({ computer }) => computer)).size > 1;
    return chosen.map(({ computer, tool }) => ({
      name: this.#names.nameOf({ computer, tool: tool.name }),
      description: isSpread ? `${tool.description}\n\nRuns on computer '${computer}'`.trimStart() : tool.description,
      parameters: { type: 'object', properties: {}, ...tool.params_schema },
    }));
  }

  /** Runs the call of a model. Every `SmcpError` becomes a failed result, so that the model can react. */
  async run(name: string, input: unknown, options: RequestOptions = {}): Promise<CallToolResult> {
    const address = this.#names.addressOf(name) ?? this.#addressOf(name);
    if (!address) return failedResult(`There is no tool '${name}'`);
    const params = readParams(input);
    if (!params) return failedResult(`The arguments of tool '${name}' are not a JSON object`);
    try {
      return await this.#agent.callTool({ ...address, params }, options);
    } catch (error) {
      if (!(error instanceof SmcpError)) throw error;
      return failedResult(error.message, { error_code: error.code });
    }
  }

  #chosen(): { computer: string; tools: SMCPTool[] }[] {
    const { computers } = this.#filter;
    return [...this.#agent.computers]
      .filter(([computer]) => !computers || computers.includes(computer))
      .map(([computer, { tools }]) => ({ computer, tools: select(tools, this.#filter) }));
  }

  /** The only tool of a name that was not offered in this form: models may leave out the `bundle_id`, or add it. */
  #addressOf(name: string): ToolAddress | undefined {
    const [found, ...others] = this.#chosen().flatMap(({ computer, tools }) => {
      const tool = findTool(tools, name);
      return tool ? [{ computer, tool: tool.name }] : [];
    });
    return others.length === 0 ? found : undefined;
  }
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
