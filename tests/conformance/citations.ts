/** The ids in `verifies('one', …)` and `verifies(['one', 'two'], …)`. */
export function citations(text: string): string[] {
  const calls = [...text.matchAll(/\bverifies\(\s*(\[[^\]]*\]|'[^']*')/g)];
  return calls.flatMap(([, ids = '']) => [...ids.matchAll(/'([^']*)'/g)].map(match => match[1] ?? ''));
}
