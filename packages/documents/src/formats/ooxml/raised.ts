/** Stands before raised digits that follow a digit, as in `10^6`, which would be 106 without it. */
export function raisedMark(before: string, raised: string): string {
  return /\d/.test(before.slice(-1)) && /^[+−–-]?\d{0,4}$/.test(raised.trim()) && raised.trim() !== '' ? '^' : '';
}
