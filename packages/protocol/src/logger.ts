/** Where a role reports what happens. `console` is one; without one nothing is printed. */
export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** The default of every `logger` option. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
