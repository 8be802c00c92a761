/** A stretch of a flow of text, as a look at its source shows it. */
export interface Block {
  /** Where it begins: an offset or a number that grows from block to block. */
  at: number;
  /** Characters of source. */
  size: number;
  /** Set for headings, from 1 to 6. */
  level?: number;
}

/** Where the pages of a flow begin. */
export interface Outline {
  /** The first is 0. */
  starts: number[];
  /** Headings of this level and above begin pages. */
  level: number;
}

const PAGE_BLOCKS = 200;

/**
 * Cuts a flow into pages: at each heading of the highest level that occurs more than once, and wherever a page would
 * grow beyond what a reader takes in at once.
 *
 * @param pageSize characters of source
 */
export function outlinePages(blocks: readonly Block[], pageSize: number): Outline {
  const level = splitLevel(blocks);
  const starts = [0];
  // A title directly above the first chapter belongs to that chapter's page.
  let begun = false;
  let size = 0;
  let count = 0;
  for (const block of blocks) {
    const isChapter = block.level !== undefined && block.level <= level;
    const isFull = count >= PAGE_BLOCKS || (!isChapter && size > 0 && size + block.size > pageSize);
    if ((isChapter && begun) || isFull) {
      starts.push(block.at);
      begun = false;
      size = 0;
      count = 0;
    }
    begun ||= block.level === undefined;
    size += block.size;
    count += 1;
  }
  return { starts, level };
}

function splitLevel(blocks: readonly Block[]): number {
  const counts = new Map<number, number>();
  for (const { level } of blocks) if (level !== undefined) counts.set(level, (counts.get(level) ?? 0) + 1);
  const repeated = [...counts].filter(([, count]) => count > 1).map(([level]) => level);
  return repeated.length === 0 ? 1 : Math.min(...repeated);
}
