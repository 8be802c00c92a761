/** The source of each element of a name, in order, up to the first end tag; elements inside of their like are not found. */
export function* elementsOf(xml: string, name: string): Generator<string> {
  const begin = new RegExp(`<(?:\\w+:)?${name}[\\s>]`, 'g');
  const end = new RegExp(`</(?:\\w+:)?${name}>`, 'g');
  for (let found = begin.exec(xml); found !== null; found = begin.exec(xml)) {
    end.lastIndex = found.index;
    // Without an end, no later one has an end either.
    if (!end.test(xml)) return;
    yield xml.slice(found.index, end.lastIndex);
    begin.lastIndex = end.lastIndex;
  }
}
