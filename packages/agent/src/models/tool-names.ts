/** A tool of one Computer. */
export interface ToolAddress {
  computer: string;
  tool: string;
}

const MAX_NAME_LENGTH = 64;

/**
 * A two-way table between tools and names that every provider accepts: letters, digits, `_` and `-`, 64 at most. A
 * name never changes its tool, so that a model can use names of earlier requests.
 */
export class ToolNames {
  readonly #addresses = new Map<string, ToolAddress>();
  readonly #names = new Map<string, string>();

  /** The name of a tool: its own if that is accepted and free, else one that begins with its Computer's name. */
  nameOf({ computer, tool }: ToolAddress): string {
    const key = JSON.stringify([computer, tool]);
    const name = this.#names.get(key) ?? this.#choose(computer, tool, key);
    this.#names.set(key, name);
    this.#addresses.set(name, { computer, tool });
    return name;
  }

  /** The tool of a name that `nameOf` has returned. */
  addressOf(name: string): ToolAddress | undefined {
    return this.#addresses.get(name);
  }

  #choose(computer: string, tool: string, key: string): string {
    const candidates = [acceptable(tool), acceptable(`${computer}__${tool}`)];
    const free = candidates.find(name => name.length <= MAX_NAME_LENGTH && !this.#addresses.has(name));
    if (free) return free;
    for (let salt = 0; ; salt++) {
      const ending = `_${hash(`${salt}${key}`)}`;
      const name = acceptable(`${computer}__${tool}`).slice(0, MAX_NAME_LENGTH - ending.length) + ending;
      if (!this.#addresses.has(name)) return name;
    }
  }
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
