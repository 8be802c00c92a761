/** 32 random hexadecimal digits. */
export function randomId(): string {
  // Missing on web pages that were not loaded over HTTPS.
  if (crypto.randomUUID) return crypto.randomUUID().replaceAll('-', '');
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
