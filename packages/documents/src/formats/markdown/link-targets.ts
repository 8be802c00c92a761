const definition = /^ {0,3}\[([^\]^][^\]]*)\]:.*$/gm;
const label = /\[([^[\]]+)\]/g;

/** Where links lead that only name their target: a page needs the definitions of other pages, those that it names. */
export class LinkTargets {
  readonly #definitions = new Map<string, string>();

  constructor(body: string) {
    for (const [line, name = ''] of body.matchAll(definition)) {
      const key = normalized(name);
      // The first of several counts.
      if (!this.#definitions.has(key)) this.#definitions.set(key, line);
    }
  }

  /** The definitions that a text needs, to be put at its end. */
  of(text: string): string {
    if (this.#definitions.size === 0) return '';
    const names = new Set([...text.matchAll(label)].map(([, name = '']) => normalized(name)));
    const lines = [...names].flatMap(name => this.#definitions.get(name) ?? []);
    return lines.length === 0 ? '' : `\n\n${lines.join('\n')}`;
  }
}

/** Names are compared without regard to case and white space. */
function normalized(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase();
}
