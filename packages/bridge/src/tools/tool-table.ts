import { annotationsOf, type SMCPTool, toolMetaOf } from '@a2c-smcp/agent';
import { fieldsOf, isObject, type Json, parseJson } from '@a2c-smcp/core';
import type { Tool } from '@modelcontextprotocol/server';
import type { OfficeAgent } from '../office-agent.ts';
import { type BridgeFilter, showsComputer } from '../options.ts';
import { type ObjectSchema, toInputSchema, toObjectSchema } from './input-schema.ts';
import type { BridgeToolNames, ToolAddress } from './tool-names.ts';

/** Where a call of an offered name goes. */
export interface ToolRoute extends ToolAddress {
  outputSchema: Json | undefined;
}

/** The tools of one Computer in numbers. */
export interface ToolCount {
  offered: number;
  /** Left out by `tags`, `tools` or `readOnly`. */
  hidden: number;
  /** Left out because their definitions would not fit into a message. */
  oversized: number;
  /** The estimated part of a model's context that the offered tools take. */
  tokens: number;
}

/** All tools of an office at one moment, as MCP clients see them. */
export interface ToolTable {
  /** Sorted by name, because a changed order costs clients their prompt cache. */
  tools: Tool[];
  routes: ReadonlyMap<string, ToolRoute>;
  counts: ReadonlyMap<string, ToolCount>;
}

/** Measured over seven well-known MCP servers with a tokenizer: 4.5 to 4.9. */
const CHARACTERS_PER_TOKEN = 4.7;

/** Characters of all definitions of one Computer, and of all Computers. Clients close the connection above 10 MiB. */
const MAX_COMPUTER_LENGTH = 2 * 1024 * 1024;
const MAX_LIST_LENGTH = 6 * 1024 * 1024;

/** How much of a list is used, so that no Computer takes the room of the others. */
export class ListBudget {
  readonly #used = new Map<string, number>();
  #total = 0;

  /** Returns whether there was room. */
  takes(computer: string, length: number): boolean {
    const used = (this.#used.get(computer) ?? 0) + length;
    if (used > MAX_COMPUTER_LENGTH || this.#total + length > MAX_LIST_LENGTH) return false;
    this.#used.set(computer, used);
    this.#total += length;
    return true;
  }
}

/** Collects the tools of an office under the names of the bridge. */
export function buildToolTable(
  computers: OfficeAgent['computers'],
  filter: BridgeFilter,
  names: BridgeToolNames,
): ToolTable {
  const counts = new Map<string, ToolCount>();
  const chosen: { address: ToolAddress; tool: SMCPTool }[] = [];
  const matches = toolMatcher(filter);
  for (const [computer, { tools }] of computers) {
    if (!showsComputer(filter, computer)) continue;
    const visible = tools.filter(matches);
    counts.set(computer, { offered: 0, hidden: tools.length - visible.length, oversized: 0, tokens: 0 });
    for (const tool of visible) chosen.push({ address: { computer, tool: tool.name }, tool });
  }
  const tools = new Map(chosen.map(({ address, tool }) => [address, tool]));
  const assigned = names.assign([...tools.keys()], [...counts.keys()]);
  const routes = new Map<string, ToolRoute>();
  const listed: Tool[] = [];
  const budget = new ListBudget();
  for (const name of [...assigned.keys()].toSorted()) {
    const address = assigned.get(name);
    const tool = address && tools.get(address);
    if (!tool) continue;
    const offered = toMcpTool(name, tool, address.computer);
    const count = counts.get(address.computer);
    if (!count) continue;
    if (!budget.takes(address.computer, JSON.stringify(offered).length)) {
      count.oversized += 1;
      continue;
    }
    count.offered += 1;
    count.tokens += tokensOf(offered);
    listed.push(offered);
    routes.set(name, { ...address, outputSchema: offered.outputSchema });
  }
  return { tools: listed, routes, counts };
}

function toolMatcher({ tags, tools, readOnly }: BridgeFilter): (tool: SMCPTool) => boolean {
  const patterns = tools?.map(toPattern);
  return tool => {
    if (patterns && !patterns.some(pattern => pattern.test(tool.name))) return false;
    if (readOnly && annotationsOf(tool).readOnlyHint !== true) return false;
    return !tags || (toolMetaOf(tool).tags ?? []).some(tag => tags.includes(tag));
  };
}

function toPattern(text: string): RegExp {
  const parts = text.split('*').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

/**
 * A tool in MCP's words. Clients drop the whole list for one malformed tool, so fields of another type than MCP's are left
 * out, also those at the top of a schema.
 */
function toMcpTool(name: string, tool: SMCPTool, computer: string): Tool {
  const { description, params_schema, return_schema, meta, title, icons } = tool;
  const annotations = hintsOf(annotationsOf(tool));
  const isPrefixed = name !== tool.name;
  const text = isPrefixed ? `${description}\n\nRuns on computer '${computer}'.`.trimStart() : description;
  return {
    name,
    ...(typeof title === 'string' && { title }),
    description: text,
    inputSchema: toInputSchema(params_schema),
    ...(isOutputSchema(return_schema) && { outputSchema: toObjectSchema(return_schema) }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
    ...(isIcons(icons) && { icons }),
    _meta: { ...restoreMeta(meta), 'a2c/computer': computer, 'a2c/tool': tool.name },
  };
}

function hintsOf(annotations: Json): Json {
  return Object.fromEntries(
    Object.entries(annotations).filter(([key, value]) =>
      key === 'title' ? typeof value === 'string' : !key.endsWith('Hint') || typeof value === 'boolean',
    ),
  );
}

/** Clients of 2025 accept objects only; what they would refuse is not shown to those of 2026 either. */
function isOutputSchema(schema: SMCPTool['return_schema']): schema is ObjectSchema {
  return schema?.type === 'object';
}

export function isIcons(icons: unknown): icons is NonNullable<Tool['icons']> {
  return Array.isArray(icons) && icons.every(isIcon);
}

function isIcon(icon: unknown): boolean {
  const { src, mimeType = '', sizes = [], theme = 'light' } = fieldsOf(icon);
  const areTexts = Array.isArray(sizes) && [src, mimeType, ...sizes].every(text => typeof text === 'string');
  return areTexts && (theme === 'light' || theme === 'dark');
}

/** The `_meta` of the MCP server. A Computer sends objects in it as JSON text, and keys of its own. */
function restoreMeta(meta: SMCPTool['meta']): Json {
  const own = Object.entries(meta ?? {}).filter(([key]) => key !== 'a2c_tool_meta' && key !== 'MCP_TOOL_ANNOTATION');
  return Object.fromEntries(own.map(([key, value]) => [key, restoreValue(value)]));
}

function restoreValue(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    const parsed = parseJson(value);
    return isObject(parsed) || Array.isArray(parsed) ? parsed : value;
  } catch {
    return value;
  }
}

function tokensOf({ name, description = '', inputSchema }: Tool): number {
  return Math.ceil((name.length + description.length + JSON.stringify(inputSchema).length) / CHARACTERS_PER_TOKEN);
}
