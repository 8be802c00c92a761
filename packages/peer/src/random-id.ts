/** 32 random hexadecimal digits. `crypto.randomUUID` is missing on web pages that were not loaded over HTTPS. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
