import type { Requirement } from './requirement.ts';

/** Error payloads, error codes and failed tool results. */
export const errors = {
  'error.payload': {
    source: 'errors.md#payload',
    rule:
      'An error ack is one object with `code`, `message`, optional `details` and code-specific fields ' +
      'at the top level, and `code`, `message` and `details` again under `error`.',
    obeys: ['protocol', 'server', 'computer'],
    done: true,
  },
  'error.decode': {
    source: 'errors.md#payload',
    rule: 'A reader understands the flat payload, the payload nested under `error`, and both in one.',
    obeys: ['protocol', 'agent'],
    done: true,
  },
  'error.details': {
    source: 'errors.md#payload',
    rule: 'Messages and `details` hold no keys, tokens, passwords, internal addresses or stack traces.',
    obeys: ['server', 'computer'],
    done: true,
  },
  'error.codes.general': {
    source: 'errors.md#codes',
    rule:
      'The general codes are 400 bad request, 401 unauthorized, 403 forbidden, 404 not found, ' +
      '408 timeout, 413 too large, 500 internal and 4008 version mismatch.',
    obeys: ['protocol'],
    done: true,
  },
  'error.codes.tool': {
    source: 'errors.md#codes',
    rule:
      'The tool codes are 4001 not found, 4002 disabled, 4003 failed, 4004 timeout, 4005 needs ' +
      'confirmation, 4006 authorisation required and 4007 authorisation failed.',
    obeys: ['protocol'],
    done: true,
  },
  'error.codes.room': {
    source: 'errors.md#codes',
    rule:
      'The room codes are 4101 full, 4102 not found, 4103 not in room, 4104 cross-room ' +
      'access and 4106 in another room, and where one of them fits it is used rather than 403 or 404.',
    obeys: ['protocol', 'server'],
    done: true,
  },
  'error.codes.blobs': {
    source: 'errors.md#codes',
    rule:
      'The codes of skills and blobs are 4016 malformed name, 4017 file not accessible, 4018 blob not accessible and ' +
      '4019 upload failed.',
    obeys: ['protocol'],
    done: true,
  },
  'error.codes.finder': {
    source: 'errors.md#codes',
    rule:
      'The finder codes are 4201 document not found, 4202 page out of range, ' +
      '4203 element not found and 4204 invalid DPE URI.',
    obeys: ['protocol'],
    done: true,
  },
  'error.codes.mcp': {
    source: 'errors.md#codes',
    rule:
      'The resource codes are 4011 DPE resolver missing, 4012 invalid DPE URI, 4013 resolution failed, ' +
      '4014 MCP server not registered and 4015 MCP server lacks the capability.',
    obeys: ['protocol'],
    done: true,
  },
  'error.bad-request': {
    source: 'errors.md#codes',
    rule:
      'A request with a missing field, a wrong type or a value out of range is ' +
      'answered with 400 by the first party that reads it.',
    obeys: ['server', 'computer'],
    done: true,
  },
  'result.failure': {
    source: 'tools.md#results',
    rule:
      'A failing tool is a CallToolResult with `isError: true` and text content, never ' +
      'an error ack; only failures of routing are error acks.',
    obeys: ['agent', 'server', 'computer'],
    done: true,
  },
  'result.meta-key': {
    source: 'tools.md#results',
    rule:
      'Metadata of a CallToolResult is written as `meta` and that of its content ' +
      'items as `_meta`; a reader accepts both keys on the result.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'result.error-code': {
    source: 'tools.md#results',
    rule: 'A failed result of the codes 4001 to 4007 carries the code in `meta.error_code`.',
    obeys: ['computer'],
    done: true,
  },
  'result.timeout-marker': {
    source: 'tools.md#results',
    rule: 'A timed-out result carries `meta.a2c_timeout` and `meta.timeout`, both true, and a reader accepts either.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'retry.codes': {
    source: 'errors.md#retries',
    rule:
      'A client never repeats a request by itself after 400, 401, 403 or 404, and after ' +
      '408 or 500 at most three times with growing, jittered pauses.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'log.hops': {
    source: 'errors.md#logging',
    rule:
      'Each party that a failed request passes, the Server also for errors that it only carries, logs it with its ' +
      '`req_id` and code, and never logs a secret.',
    obeys: ['agent', 'server', 'computer'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
