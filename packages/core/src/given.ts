/**
 * Options without those whose value is undefined, so that a spread over defaults keeps the default:
 * `{ ...defaults, ...given(options) }`.
 */
export function given<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
