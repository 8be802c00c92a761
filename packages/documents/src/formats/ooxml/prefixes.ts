/** The prefixes that readers expect, by the end of the namespace: the transitional and the strict one have the same. */
const usual: ReadonlyMap<string, string> = new Map([
  ['officeDocument/2006/relationships', 'r'],
  ['officeDocument/relationships', 'r'],
  ['wordprocessingml/2006/main', 'w'],
  ['wordprocessingml/main', 'w'],
  ['1999/xlink', 'xlink'],
  ['xmlns:drawing:1.0', 'draw'],
  ['xmlns:office:1.0', 'office'],
  ['xmlns:presentation:1.0', 'presentation'],
  ['xmlns:style:1.0', 'style'],
  ['xmlns:table:1.0', 'table'],
  ['xmlns:text:1.0', 'text'],
]);

/** Elements nested deeper than this declare no namespaces; looking for them in every cell of a sheet costs time. */
const MAX_DECLARING_DEPTH = 3;
const MAX_PREFIXES = 100;
/** Characters of a namespace that are compared. */
const MAX_ENDING = 60;

/**
 * Gives attributes the prefixes that readers expect. Programs may choose others, as Python's ElementTree does, which calls
 * all namespaces `ns0`, `ns1` and so on.
 */
export class Prefixes {
  readonly #usual = new Map<string, string>();

  /** Attributes of an element with the usual prefixes. Elements must come in the order of the file. */
  rename(attributes: Record<string, string>, depth: number): Record<string, string> {
    if (depth <= MAX_DECLARING_DEPTH) this.#declare(attributes);
    if (this.#usual.size === 0) return attributes;
    return Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => {
        const end = name.indexOf(':');
        const prefix = end < 0 ? undefined : this.#usual.get(name.slice(0, end));
        return [prefix === undefined ? name : prefix + name.slice(end), value];
      }),
    );
  }

  #declare(attributes: Record<string, string>): void {
    for (const name in attributes) {
      if (!name.startsWith('xmlns:') || this.#usual.size >= MAX_PREFIXES) continue;
      const own = name.slice('xmlns:'.length);
      const prefix = usual.get(ending(attributes[name] ?? ''));
      if (prefix !== undefined && prefix !== own) this.#usual.set(own, prefix);
    }
  }
}

/** As in `wordprocessingml/2006/main` or `xmlns:text:1.0`. */
function ending(namespace: string): string {
  return /(?:xmlns:[^:]*:[^:]*|(?:\w+\/)?(?:2006\/)?\w+)$/.exec(namespace.slice(-MAX_ENDING))?.[0] ?? '';
}
