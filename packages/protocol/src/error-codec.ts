import { ErrorCode, SmcpError } from './errors.ts';
import type { ErrorPayload } from './schemas/error.ts';

/** Details that readers of the flat dialect expect beside `code`, by code. */
const topLevelDetails: Partial<Record<number, readonly string[]>> = {
  [ErrorCode.VersionMismatch]: ['server_version', 'client_version', 'min_supported', 'max_supported'],
  [ErrorCode.McpServerNotFound]: ['mcp_server', 'mcp_server_name'],
  [ErrorCode.McpCapabilityMissing]: ['mcp_server', 'mcp_server_name', 'capability'],
};

/**
 * The payload of a thrown value: an `SmcpError` without its cause; any other error becomes a bare `Internal`. The payload
 * serves both dialects: readers of 0.1 find `error`, readers of 0.2.0 and later find `code` on top.
 */
export function toErrorPayload(thrown: unknown): ErrorPayload {
  const { code, message, details } =
    thrown instanceof SmcpError ? thrown : new SmcpError(ErrorCode.Internal, 'Internal error');
  if (details === undefined) return { code, message, error: { code, message } };
  const onTop = (topLevelDetails[code] ?? []).filter(key => details[key] !== undefined);
  const fields = Object.fromEntries(onTop.map(key => [key, details[key]]));
  return { ...fields, code, message, details, error: { code, message, details } };
}

/**
 * The error in an answer, if it is one: nested `{error: {code, message}}`, flat `{code, message}`, or the Rust
 * SDK's `{Err: text}`. Code-specific fields of the flat form are found in `details`.
 */
export function readError(answer: unknown): SmcpError | undefined {
  if (!isObject(answer)) return undefined;
  if (isObject(answer.error) && isErrorHead(answer.error)) {
    const { code, message, details } = answer.error;
    return smcpError(code, message, { ...codeSpecific(answer), ...asObject(details) });
  }
  if (isErrorHead(answer)) {
    const { code, message, details } = answer;
    return smcpError(code, message, { ...codeSpecific(answer), ...asObject(details) });
  }
  if (typeof answer.Err === 'string' && Object.keys(answer).length === 1) return rustError(answer.Err);
  return undefined;
}

/** The value of an answer without the Rust SDK's `{Ok: value}` around it. */
export function unwrapOk(answer: unknown): unknown {
  return isObject(answer) && 'Ok' in answer && Object.keys(answer).length === 1 ? answer.Ok : answer;
}

type Json = Record<string, unknown>;
type ErrorHead = { code: number; message: string; details?: unknown };

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: unknown): Json {
  return isObject(value) ? value : {};
}

function isErrorHead(value: Json): value is Json & ErrorHead {
  return Number.isInteger(value.code) && typeof value.message === 'string';
}

function codeSpecific({ code: _code, message: _message, details: _details, error: _error, ...fields }: Json): Json {
  return fields;
}

function smcpError(code: number, message: string, details: Json): SmcpError {
  return new SmcpError(code, message, Object.keys(details).length > 0 ? { details } : {});
}

/** The Rust SDK answers with text alone; its wording is the only hint of a code. */
function rustError(text: string): SmcpError {
  if (/^timeout error/i.test(text)) return new SmcpError(ErrorCode.Timeout, text);
  if (/not found/i.test(text)) return new SmcpError(ErrorCode.NotFound, text);
  if (/^invalid request/i.test(text)) return new SmcpError(ErrorCode.BadRequest, text);
  return new SmcpError(ErrorCode.Internal, text);
}
