const SECRET = /passw|passphrase|secret|token|api.?key|credential|private.?key/i;

/** True if a name suggests that its value is a secret. */
export function looksSecret(name: string): boolean {
  return SECRET.test(name);
}
