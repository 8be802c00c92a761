/** True if a join or a leave succeeded, in the shape of any line. */
export function isYes([first]: readonly unknown[]): boolean {
  const flag = Array.isArray(first) ? first[0] : first;
  return flag === undefined || flag === null || flag === true;
}

/** The code of an error payload, flat or nested. */
export function codeOf(payload: unknown): number | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  const { code, error } = payload as { code?: unknown; error?: { code?: unknown } | null };
  const found = code ?? error?.code;
  return typeof found === 'number' ? found : undefined;
}

/** The error that a promise ends with, if it fails. */
export async function failureOf(work: Promise<unknown>): Promise<Error | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
