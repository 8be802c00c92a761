import { createHash } from 'node:crypto';
import type { Prefix } from '../options.ts';

/** A tool of one Computer, under the name that the Computer gives it, or a prompt of one of its MCP servers. */
export interface ToolAddress {
  computer: string;
  /** Of a prompt: several servers of a Computer may use one name. */
  server?: string;
  tool: string;
}

/** VS Code puts up to 18 characters before a name, and models accept 64. */
export const MAX_TOOL_NAME_LENGTH = 46;
const MAX_COMPUTER_LENGTH = 14;
const HASH_LENGTH = 8;
/** Names that are remembered after their tools are gone. */
const MAX_REMEMBERED = 20_000;

export interface ToolNamesOptions {
  prefix: Prefix;
  /** Names of other tools, which are never given away. */
  reserved: readonly string[];
  /** True if several Computers are expected, so that `auto` prefixes the tools of the first one, too. */
  expectsSeveral: boolean;
}

/**
 * Names that every MCP client accepts: letters, digits, `_` and `-`, at most 46. A name is never given to another tool and
 * does not change while the bridge runs, because conversations and permissions of clients refer to it.
 */
export class BridgeToolNames {
  readonly #options: ToolNamesOptions;
  /** By address. */
  readonly #names = new Map<string, string>();
  /** Names that are taken, as `similar` writes them. */
  readonly #taken = new Set<string>();
  /** The Computer whose tools have no prefix in the mode `auto`; null when there is none. */
  #home: string | null | undefined;

  constructor(options: ToolNamesOptions) {
    this.#options = options;
    for (const name of options.reserved) this.#taken.add(similar(name));
    if (options.expectsSeveral) this.#home = null;
  }

  /** Names that are remembered. */
  get size(): number {
    return this.#names.size;
  }

  /** Names all tools that are offered. The result depends on their set, and not on their order. */
  assign(tools: readonly ToolAddress[], computers: readonly string[]): Map<string, ToolAddress> {
    if (this.#home === undefined && computers.length > 0) this.#home = computers.length === 1 ? computers[0] : null;
    const added = tools.filter(address => !this.#names.has(keyOf(address)));
    for (const address of inOrder(added)) this.#add(address);
    const assigned = new Map(tools.map(address => [this.#names.get(keyOf(address)) ?? '', address]));
    if (this.#names.size > MAX_REMEMBERED) this.#forget(assigned);
    return assigned;
  }

  #add(address: ToolAddress): void {
    const { computer, server, tool } = address;
    const prefixed = prefixedNames(address);
    const plain = [plainName(tool), ...(server === undefined ? [] : [plainName(`${server}__${tool}`)])];
    const candidates = this.#hasPrefix(computer) ? prefixed : [...plain, ...prefixed];
    const name = candidates.find(candidate => !this.#taken.has(similar(candidate))) ?? this.#salted(prefixed);
    this.#names.set(keyOf(address), name);
    this.#taken.add(similar(name));
  }

  #hasPrefix(computer: string): boolean {
    const { prefix } = this.#options;
    return prefix === 'always' || (prefix === 'auto' && computer !== this.#home);
  }

  /** The last resort: two addresses with equal hashes. */
  #salted(prefixed: readonly string[]): string {
    const hashed = prefixed.at(-1) ?? '';
    for (let salt = 0; ; salt++) {
      const name = withHash(hashed.slice(0, -HASH_LENGTH - 1), `${salt} ${hashed}`);
      if (!this.#taken.has(similar(name))) return name;
    }
  }

  /** Drops the oldest names of tools that are not offered, so that a Computer cannot fill the memory with new ones. */
  #forget(assigned: ReadonlyMap<string, ToolAddress>): void {
    for (const [key, name] of this.#names) {
      if (this.#names.size <= MAX_REMEMBERED / 2) return;
      if (assigned.has(name)) continue;
      this.#names.delete(key);
      this.#taken.delete(similar(name));
    }
  }
}

function plainName(tool: string): string {
  const clean = acceptable(tool);
  return clean.length <= MAX_TOOL_NAME_LENGTH ? clean : withHash(clean, tool);
}

/**
 * Candidates, the last with a hash of the original. Shortens the name of the Computer before that of the tool, which
 * says more to a model.
 */
function prefixedNames(address: ToolAddress): string[] {
  const { computer, server, tool } = address;
  const clean = [`${computer}__${tool}`, ...(server === undefined ? [] : [`${computer}__${server}__${tool}`])]
    .map(acceptable)
    .filter(name => name.length <= MAX_TOOL_NAME_LENGTH);
  const short = acceptable(`${computer.slice(0, MAX_COMPUTER_LENGTH)}__${tool}`);
  return [...clean, withHash(short, keyOf(address))];
}

function withHash(name: string, original: string): string {
  const hash = createHash('sha256').update(original).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_TOOL_NAME_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}

function acceptable(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_') || '_';
}

/** Codex replaces `-` by `_`, and some clients ignore case: names must differ in more than that. */
function similar(name: string): string {
  return name.replaceAll('-', '_').toLowerCase();
}

function keyOf({ computer, server, tool }: ToolAddress): string {
  return JSON.stringify([computer, tool, ...(server === undefined ? [] : [server])]);
}

/** Names that need no replacement come first, so that they are not taken by others. Then by code unit. */
function inOrder(tools: readonly ToolAddress[]): ToolAddress[] {
  const ranked = tools.map(address => ({ address, rank: rankOf(address) }));
  return ranked.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ address }) => address);
}

function rankOf(address: ToolAddress): string {
  return `${acceptable(address.tool) === address.tool ? 0 : 1}${keyOf(address)}`;
}
