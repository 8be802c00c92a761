import { createHash } from 'node:crypto';
import { ErrorCode, SmcpError, type Prompt as SmcpPrompt } from '@a2c-smcp/agent';
import { Limiter, type Logger } from '@a2c-smcp/core';
import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { sizeProblem } from '../message-size.ts';
import type { OfficeAccess } from '../office-access.ts';
import type { OfficeAgent } from '../office-agent.ts';
import type { Prefix } from '../options.ts';
import { BridgeToolNames, type ToolAddress } from '../tools/tool-names.ts';
import { isIcons, ListBudget } from '../tools/tool-table.ts';
import { USE_OFFICE, useOfficePrompt } from './use-office.ts';

/** Milliseconds that a list waits for the office; later prompts follow as a change. */
const FIRST_LIST_TIMEOUT_MS = 3000;
/** Milliseconds for the prompts of one Computer, before they are left out. */
const LIST_TIMEOUT_MS = 8000;
/** Computers that are asked at the same time. */
const CONCURRENCY = 16;

/** A prompt of an MCP server of a Computer; `tool` is its name there. */
type PromptAddress = Required<ToolAddress>;

export interface OfficePromptsOptions {
  prefix: Prefix;
  /** True if several Computers are expected. */
  expectsSeveral: boolean;
  logger: Logger;
}

/** The prompts of an office as MCP clients see them: those of the hosted MCP servers, and `use-office`. */
export class OfficePrompts {
  readonly #access: OfficeAccess;
  readonly #logger: Logger;
  readonly #limiter = new Limiter(CONCURRENCY);
  readonly #names: BridgeToolNames;
  /** By the name that clients know. */
  #routes: ReadonlyMap<string, PromptAddress> = new Map();
  /** The digest of the list that clients may have; undefined if none has listed. */
  #seen: string | undefined;

  constructor(access: OfficeAccess, { prefix, expectsSeveral, logger }: OfficePromptsOptions) {
    this.#access = access;
    this.#logger = logger;
    this.#names = new BridgeToolNames({ prefix, reserved: [USE_OFFICE.name], expectsSeveral });
  }

  /** All prompts, sorted by name. A Computer that does not answer, or does not know prompts, is left out. */
  async list(signal?: AbortSignal): Promise<Prompt[]> {
    const prompts = await this.#list(signal);
    this.#seen = digestOf(prompts);
    return [USE_OFFICE, ...prompts];
  }

  /** Lists again if a client has listed before. Returns whether that client would see another list now. */
  async hasChanged(): Promise<boolean> {
    if (this.#seen === undefined) return false;
    const digest = digestOf(await this.#list());
    if (digest === this.#seen) return false;
    this.#seen = digest;
    return true;
  }

  async get(name: string, values: Record<string, string> | undefined, signal: AbortSignal): Promise<GetPromptResult> {
    if (name === USE_OFFICE.name) return useOfficePrompt(values?.task);
    if (!this.#routes.has(name)) await this.#list(signal);
    const address = this.#routes.get(name);
    if (!address) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt '${name}'`);
    const { computer, server, tool } = address;
    const wanted = { server, name: tool, ...(values && { arguments: values }) };
    try {
      const { description, messages } = await this.#access.request(agent =>
        agent.getPrompt(computer, wanted, { signal }),
      );
      const problem = sizeProblem(messages);
      if (problem !== undefined) throw new SmcpError(ErrorCode.TooLarge, problem);
      // Computers may send content that is newer than the types of the SDK.
      return { ...(description !== undefined && { description }), messages } as GetPromptResult;
    } catch (error) {
      if (signal.aborted || !(error instanceof SmcpError)) throw error;
      const { code, message, details } = error;
      const isRefused = code === ErrorCode.BadRequest || code === ErrorCode.NotFound;
      const mcpCode = isRefused ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
      throw new ProtocolError(mcpCode, message, { ...details, code });
    }
  }

  async #list(signal?: AbortSignal): Promise<Prompt[]> {
    const agent = await this.#access.seat.take(FIRST_LIST_TIMEOUT_MS);
    if (!agent) return [];
    const computers = this.#access.computers(agent);
    const lists = await Promise.all(
      computers.map(computer => this.#limiter.run(() => this.#promptsOf(agent, computer, signal))),
    );
    // By its address, the first of each: a Computer of another maker may list one twice.
    const found = new Map<string, { address: PromptAddress; prompt: SmcpPrompt }>();
    for (const entry of lists.flat()) {
      const key = JSON.stringify(entry.address);
      if (!found.has(key)) found.set(key, entry);
    }
    const prompts = new Map<ToolAddress, SmcpPrompt>([...found.values()].map(each => [each.address, each.prompt]));
    const assigned = this.#names.assign([...prompts.keys()], computers);
    const routes = new Map<string, PromptAddress>();
    const listed: Prompt[] = [];
    const budget = new ListBudget();
    for (const name of [...assigned.keys()].toSorted()) {
      const address = assigned.get(name) as PromptAddress;
      const prompt = prompts.get(address);
      if (!prompt) continue;
      const offered = toMcpPrompt(name, prompt, address);
      if (!budget.takes(address.computer, JSON.stringify(offered).length)) continue;
      listed.push(offered);
      routes.set(name, address);
    }
    if (listed.length < prompts.size) {
      this.#logger.warn('Prompts are left out: the list would be too large', { count: prompts.size - listed.length });
    }
    this.#routes = routes;
    return listed;
  }

  async #promptsOf(agent: OfficeAgent, computer: string, signal: AbortSignal | undefined) {
    try {
      const { prompts } = await agent.getPrompts(computer, { timeout: LIST_TIMEOUT_MS, ...(signal && { signal }) });
      return prompts.map(prompt => ({
        address: { computer, server: prompt.mcp_server, tool: prompt.name },
        prompt,
      }));
    } catch (error) {
      signal?.throwIfAborted();
      const isUnknown = error instanceof SmcpError && error.reason === 'unsupported';
      const level = isUnknown ? 'debug' : 'warn';
      this.#logger[level]('The prompts of a Computer could not be listed', { computer, error });
      return [];
    }
  }
}

/** Clients drop the whole list for one malformed prompt, so only fields that the protocol checks are passed on. */
function toMcpPrompt(name: string, prompt: SmcpPrompt, { computer, server }: PromptAddress): Prompt {
  const { title, description, arguments: args, icons } = prompt;
  const place = `From MCP server '${server}' on computer '${computer}'.`;
  const text = name === prompt.name ? (description ?? undefined) : `${description ?? ''}\n\n${place}`.trimStart();
  return {
    name,
    ...(typeof title === 'string' && { title }),
    ...(text !== undefined && { description: text }),
    ...(args && { arguments: args.map(toMcpArgument) }),
    ...(isIcons(icons) && { icons }),
    _meta: { 'a2c/computer': computer, 'a2c/mcp_server': server, 'a2c/prompt': prompt.name },
  };
}

function toMcpArgument({ name, description, required }: NonNullable<SmcpPrompt['arguments']>[number]) {
  return {
    name,
    ...(typeof description === 'string' && { description }),
    ...(typeof required === 'boolean' && { required }),
  };
}

function digestOf(prompts: readonly Prompt[]): string {
  return createHash('sha256').update(JSON.stringify(prompts)).digest('base64');
}
