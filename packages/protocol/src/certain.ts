import type * as z from 'zod/mini';
import { CallToolResult, ToolCallReq } from './schemas/tools.ts';

type Guard = (value: Record<string, unknown>) => boolean;

/**
 * Checks by hand of what every tool call carries, where a schema costs more than all the rest. A check says yes only to
 * what the schema accepts and leaves as it is; the schema judges everything else, and finds the words for what is wrong.
 */
const certain = new Map<z.ZodMiniType, Guard>([
  [ToolCallReq, isCertainRequest],
  [CallToolResult, isCertainResult],
]);

/** What a schema makes of a value. The value itself may be what is returned. */
export function readAs<S extends z.ZodMiniType>(schema: S, value: unknown): z.core.util.SafeParseResult<z.infer<S>> {
  if (isObject(value) && certain.get(schema)?.(value)) return { success: true, data: value as z.infer<S> };
  return schema.safeParse(value);
}

function isCertainRequest({ agent, req_id, computer, tool_name, params, timeout }: Record<string, unknown>): boolean {
  return (
    typeof agent === 'string' &&
    typeof req_id === 'string' &&
    typeof computer === 'string' &&
    typeof tool_name === 'string' &&
    isObject(params) &&
    typeof timeout === 'number' &&
    Number.isInteger(timeout) &&
    timeout >= 1 &&
    timeout <= 3600
  );
}

function isCertainResult({ content, isError, meta }: Record<string, unknown>): boolean {
  return (
    Array.isArray(content) &&
    content.every(item => isObject(item) && typeof item.type === 'string') &&
    (isError === undefined || typeof isError === 'boolean') &&
    (meta === undefined || meta === null || isObject(meta))
  );
}

/** Schemas drop a property of this name, so whatever has one is not certain. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Object.hasOwn(value, '__proto__');
}
