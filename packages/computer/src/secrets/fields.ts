import { MASK } from './mask.ts';

type Redact = (text: string) => string;

/** Levels of a structure that are shown. */
const MAX_DEPTH = 8;

/** A copy of the fields without secrets in their texts, names and errors, at any depth. */
export function redactFields(fields: Record<string, unknown>, redact: Redact): Record<string, unknown> {
  return redactEntries(fields, redact, 0);
}

function redactValue(value: unknown, redact: Redact, depth: number): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return MASK;
  if (value instanceof Error) return redactThrown(value, redact, depth);
  if (value instanceof URL) return redact(value.href);
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (Array.isArray(value)) return value.map(item => redactValue(item, redact, depth + 1));
  return redactEntries(value, redact, depth);
}

function redactEntries(value: object, redact: Redact, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), redactValue(item, redact, depth + 1)]),
  );
}

function redactThrown({ name, message, stack, cause }: Error, redact: Redact, depth: number): Record<string, unknown> {
  return {
    name,
    message: redact(message),
    ...(stack === undefined ? {} : { stack: redact(stack) }),
    ...(cause === undefined ? {} : { cause: redactValue(cause, redact, depth + 1) }),
  };
}
