import { parseJson } from '@a2c-smcp/core';

/** Parses JSON text; undefined when it is not JSON or nested too deeply. */
export function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
