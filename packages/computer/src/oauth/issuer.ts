/** True if two texts name one authorization server. A slash at the end makes no difference. */
export function isSameIssuer(one: string, other: string): boolean {
  return withoutSlash(one) === withoutSlash(other);
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}
