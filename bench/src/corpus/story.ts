/** The content of a document of the corpus, whatever its format. */
export interface Story {
  title: string;
  blocks: Block[];
}

export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'table'; rows: string[][] };

const SECTIONS = 5;
const TABLE = { rows: 8, columns: 4 };

/** The same story for the same number. */
export function tell(number: number): Story {
  const words = new Words(number);
  const blocks: Block[] = Array.from({ length: SECTIONS }, (): Block[] => [
    { kind: 'heading', text: words.name(3) },
    { kind: 'paragraph', text: words.sentences(5) },
    { kind: 'list', items: Array.from({ length: 4 }, () => words.name(6)) },
    { kind: 'paragraph', text: words.sentences(4) },
    { kind: 'table', rows: table(words, TABLE) },
  ]).flat();
  return { title: words.name(4), blocks };
}

/** A table with a row of names, then rows of names and numbers. */
export function tellTable(number: number, size: { rows: number; columns: number }): string[][] {
  return table(new Words(number), size);
}

function table(words: Words, { rows, columns }: { rows: number; columns: number }): string[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) =>
      row === 0 || column % 2 === 0 ? words.name(2) : String(words.number(90_000) + 10_000),
    ),
  );
}

/** Everything that a reader should give back, in order. */
export function textOf({ title, blocks }: Story): string {
  return [title, ...blocks.map(blockText)].join('\n');
}

/** All rows of tables. */
export function rowsOf({ blocks }: Story): string[][] {
  return blocks.flatMap(block => (block.kind === 'table' ? block.rows : []));
}

function blockText(block: Block): string {
  if (block.kind === 'list') return block.items.join('\n');
  return block.kind === 'table' ? block.rows.map(row => row.join(' ')).join('\n') : block.text;
}

const SYLLABLES =
  'ba be bi bo bu da de di do du fa fe ga go ka ke ki ko la le li lo ma me mi mo na ne no pa pe ra re ri ro sa se so ta te ti to va ve vi zo'.split(
    ' ',
  );

/** Makes words that exist in no language, so that none is in a document by chance. */
class Words {
  #state: number;

  constructor(seed: number) {
    this.#state = seed * 2_654_435_761 + 1;
  }

  /** From 0 to below `end`. */
  number(end: number): number {
    // A linear congruential generator, as in Numerical Recipes.
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * end);
  }

  name(count: number): string {
    const [first = '', ...rest] = Array.from({ length: count }, () => this.#word());
    return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ');
  }

  sentences(count: number): string {
    return Array.from({ length: count }, () => `${this.name(8 + this.number(8))}.`).join(' ');
  }

  #word(): string {
    return Array.from({ length: 2 + this.number(2) }, () => SYLLABLES[this.number(SYLLABLES.length)]).join('');
  }
}
