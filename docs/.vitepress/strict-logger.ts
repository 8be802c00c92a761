/** Prints what the build says, and ends it at the first warning: a language without colours, a chunk that is too large. */
export const strictLogger = {
  hasWarned: false,
  info: print,
  warn: fail,
  warnOnce: fail,
  error: print,
  clearScreen: () => {},
  hasErrorLogged: () => false,
};

function print(message: string): void {
  process.stderr.write(`${message}\n`);
}

function fail(message: string): never {
  throw new Error(`The build of the site has a warning: ${message}`);
}
