/**
 * Splits a text into words; Chinese into pairs of characters, because it has no spaces. It runs in the build and, as
 * text, in the browser: it must not use anything outside of it.
 */
export function wordsOf(text: string): string[] {
  const runs = text.match(/\p{Script=Han}+|[\p{L}\p{N}_]+/gu) ?? [];
  return runs.flatMap(run => {
    if (!/^\p{Script=Han}{2}/u.test(run)) return [run];
    const characters = [...run];
    return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  });
}

/** Lets guides and reference come before the generated pages. The same holds for it. */
export function boostDocument(id: string): number {
  return id.includes('/api/') ? 0.3 : 1;
}
