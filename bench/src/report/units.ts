/** A number with as many digits as anybody reads. */
export function rounded(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en');
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3).replace(/\.?0+$/, '');
}

/** Milliseconds in the unit that suits them. */
export function duration(milliseconds: number): string {
  if (milliseconds >= 1000) return `${rounded(milliseconds / 1000)} s`;
  return milliseconds >= 1 ? `${rounded(milliseconds)} ms` : `${rounded(milliseconds * 1000)} µs`;
}

/** From bytes. */
export function kibibytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
