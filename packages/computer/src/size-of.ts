/** About how many characters a value takes as JSON, without making it. The value is nested within limits. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 2;
  if (Array.isArray(value)) {
    for (const entry of value) size += 1 + sizeOf(entry);
    return size;
  }
  for (const key in value) size += key.length + 3 + sizeOf((value as Record<string, unknown>)[key]);
  return size;
}
