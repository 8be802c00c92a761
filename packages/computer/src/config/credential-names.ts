/** `author` and `authority` are not credentials, `authorization` is. */
const CREDENTIAL =
  /auth(?!or(?:ity|s)?(?:$|[-_.]))|token|key|secret|pass|pwd|credential|cookie|session|signature|bearer|jwt|private|webhook|dsn|connection|conn-?str/i;

/** Abbreviations, which longer words may contain by chance. */
const ABBREVIATION = /(?:^|[-_.])(?:pat|pw|pin|otp|sig|creds?|user|username|login|account)(?:$|[-_.])/i;

/** Flags of one letter by which programs take passwords, keys, tokens and users. */
const SHORT_FLAG = /^-[pPkKtTuUwWsSaA]$/;

/** True if something of that name is likely to be a credential. */
export function isCredentialName(name: string): boolean {
  return CREDENTIAL.test(name) || ABBREVIATION.test(name);
}

/** True if an argument announces that the next one is a credential. */
export function isCredentialFlag(argument: string): boolean {
  return SHORT_FLAG.test(argument) || (/^--?[A-Za-z][\w.-]*$/.test(argument) && isCredentialName(argument));
}

/** True if an argument announces a header or a variable, `NAME: value` or `NAME=value`. */
export function isPairFlag(argument: string): boolean {
  return /^(?:-H|--headers?|-e|--env)$/.test(argument);
}

/** True if a flag takes a number: a port, a time, a count. */
export function isNumberFlag(flag: string): boolean {
  return /^--?(?:[a-z-]*-)?(?:port|timeout|limit|size|count|depth|level|retries|interval|delay|workers|threads|max|min)$/i.test(
    flag,
  );
}

/** True if the program to run may follow an argument: a flag without a value, or the command of a package manager. */
export function isSwitch(argument: string): boolean {
  return /^(?:-y|--yes|-q|--quiet|-m|-i|-it|-t|--rm|--init|--bun|--|run|exec|dlx|tool|x)$/.test(argument);
}
