/**
 * True if a URI matches a pattern in which `*` stands for any characters. Takes time in proportion to the URI, however many
 * stars there are.
 */
export function matchesPattern(pattern: string, uri: string): boolean {
  const [start = '', ...parts] = pattern.split('*');
  const end = parts.pop();
  if (end === undefined) return uri === pattern;
  if (!uri.startsWith(start)) return false;
  let place = start.length;
  for (const part of parts) {
    const found = uri.indexOf(part, place);
    if (found === -1) return false;
    place = found + part.length;
  }
  return uri.length - place >= end.length && uri.endsWith(end);
}
