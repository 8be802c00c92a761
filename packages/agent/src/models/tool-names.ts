/** A tool of one Computer. */
export interface ToolAddress {
  computer: string;
  tool: string;
}

export interface ToolNamesOptions {
  /** Puts the name of the Computer before every name. @default false */
  alwaysPrefixed?: boolean | undefined;
  /** Names of other tools, which are never given away. @default none */
  reserved?: readonly string[] | undefined;
}

const MAX_NAME_LENGTH = 64;
/** Names that are remembered after their tools are gone. */
const MAX_REMEMBERED = 20_000;

/**
 * Names that every provider accepts: letters, digits, `_` and `-`, 64 at most. They depend on the set of tools that is
 * offered, not on its order: a tool has its own name if no other tool could have it, else one that begins with its
 * Computer's. A name that was given is never given to another tool, so that a model can use names of earlier requests.
 */
export class ToolNames {
  readonly #options: ToolNamesOptions;
  readonly #known = new Map<string, ToolAddress>();

  constructor(options: ToolNamesOptions = {}) {
    this.#options = options;
  }

  /** The names of all tools that are offered, in the same order. */
  assign(tools: readonly ToolAddress[]): string[] {
    const { alwaysPrefixed = false, reserved = [] } = this.#options;
    const claims = new Map<string, number>(reserved.map(name => [name, 2]));
    for (const address of tools) {
      for (const name of candidatesOf(address)) claims.set(name, (claims.get(name) ?? 0) + 1);
    }
    const names = tools.map(address => {
      const candidates = candidatesOf(address).slice(alwaysPrefixed ? 1 : 0);
      const isFree = (name: string) => claims.get(name) === 1 && this.#isFree(name, address);
      const name = candidates.find(isFree) ?? this.#hashed(address, claims);
      this.#known.set(name, address);
      return name;
    });
    if (this.#known.size > MAX_REMEMBERED) this.#forget(new Set(names));
    return names;
  }

  /** The tool of a name that `assign` has returned. */
  addressOf(name: string): ToolAddress | undefined {
    return this.#known.get(name);
  }

  #isFree(name: string, address: ToolAddress): boolean {
    const known = this.#known.get(name);
    return name.length <= MAX_NAME_LENGTH && (!known || keyOf(known) === keyOf(address));
  }

  #hashed(address: ToolAddress, claims: ReadonlyMap<string, number>): string {
    for (let salt = 0; ; salt++) {
      const ending = `_${hash(`${salt}${keyOf(address)}`)}`;
      const name = prefixedName(address).slice(0, MAX_NAME_LENGTH - ending.length) + ending;
      if (!claims.has(name) && this.#isFree(name, address)) return name;
    }
  }

  /** Drops the oldest names of tools that are not offered, so that a Computer cannot fill the memory with new ones. */
  #forget(offered: ReadonlySet<string>): void {
    for (const name of this.#known.keys()) {
      if (this.#known.size <= MAX_REMEMBERED / 2) return;
      if (!offered.has(name)) this.#known.delete(name);
    }
  }
}

/** The name of a tool with that of its Computer, if nothing must be shortened. */
export function prefixedName({ computer, tool }: ToolAddress): string {
  return acceptable(`${computer}__${tool}`);
}

function candidatesOf(address: ToolAddress): [bare: string, prefixed: string] {
  return [acceptable(address.tool), prefixedName(address)];
}

function keyOf({ computer, tool }: ToolAddress): string {
  return JSON.stringify([computer, tool]);
}

/** Replaces the characters that providers refuse. */
function acceptable(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_') || '_';
}

/** FNV-1a: the same name in every run, and short. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}
