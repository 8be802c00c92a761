const CREDENTIAL =
  /auth|token|key|secret|pass|pwd|credential|cookie|session|signature|bearer|jwt|private|webhook|dsn|connection|conn-?str/i;

/** Abbreviations, which longer words may contain by chance. */
const ABBREVIATION = /(?:^|[-_.])(?:pat|pw|pin|otp|sig|creds?|user|username|login|account)(?:$|[-_.])/i;

/** Flags of one letter by which programs take passwords, keys, tokens and users. */
const SHORT_FLAG = /^-[pPkKtTuUwWsSaA]$/;

/** Whether something of that name is likely to be a credential. */
export function isCredentialName(name: string): boolean {
  return CREDENTIAL.test(name) || ABBREVIATION.test(name);
}

/** Whether an argument announces that the next one is a credential. */
export function isCredentialFlag(argument: string): boolean {
  return SHORT_FLAG.test(argument) || (/^--?[A-Za-z][\w.-]*$/.test(argument) && isCredentialName(argument));
}

/** Whether an argument announces a header or a variable, `NAME: value` or `NAME=value`. */
export function isPairFlag(argument: string): boolean {
  return /^(?:-H|--headers?|-e|--env)$/.test(argument);
}
