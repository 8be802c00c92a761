import type { Block, Outline } from './outline.ts';

/** A heading this far from an even cut, as a share of a page, is a better place. */
const REACH = 0.3;

/** Deals blocks out to a number of pages that is fixed in advance: about evenly, with cuts before headings near by. */
export function spreadPages(blocks: readonly Block[], count: number): Outline {
  const begins = [0];
  for (const { size } of blocks) begins.push((begins.at(-1) ?? 0) + size);
  const page = (begins.at(-1) ?? 0) / count;
  const cuts = [0];
  for (let index = 1; index < count; index += 1) {
    const earliest = (cuts.at(-1) ?? 0) + 1;
    // Every later page gets a block too, as long as there are enough.
    const latest = Math.max(earliest, blocks.length - (count - index));
    const distance = (place: number) => Math.abs((begins[place] ?? Number.POSITIVE_INFINITY) - index * page);
    let cut = earliest;
    while (cut < latest && (begins[cut] ?? 0) < index * page) cut += 1;
    const near: number[] = [];
    for (let place = cut; place <= latest && distance(place) <= page * REACH; place += 1) near.push(place);
    for (let place = cut - 1; place >= earliest && distance(place) <= page * REACH; place -= 1) near.push(place);
    const headings = near.filter(place => blocks[place]?.level !== undefined);
    cuts.push(headings.toSorted((a, b) => distance(a) - distance(b))[0] ?? cut);
  }
  // Pages that are left without a block begin behind the last one.
  const last = blocks.at(-1);
  const end = (last?.at ?? 0) + Math.max(last?.size ?? 0, 1);
  const starts = cuts.map((cut, index) => (index === 0 ? 0 : (blocks[cut]?.at ?? end + cut - blocks.length)));
  return { starts, level: 6 };
}
