import { clip } from '@a2c-smcp/core';
import { hashOf } from '../config/origin.ts';
import type { RecordedCall, ToolCallRecord } from '../tools/calls.ts';
import type { AuditEntry } from './line.ts';

/** Characters of the arguments that are recorded as text. The sum is that of all. */
const MAX_ARGUMENTS_LENGTH = 4096;

/** A call as the audit file has it. */
export function auditEntry(
  { timestamp, req_id, agent, server, tool, decided_by, outcome, duration }: ToolCallRecord,
  { office, params, code }: RecordedCall,
  redact: (text: string) => string,
): AuditEntry {
  const text = jsonOf(params);
  return {
    time: timestamp,
    reqId: req_id,
    agent,
    office: office ?? null,
    server,
    tool,
    arguments: clip(redact(text), MAX_ARGUMENTS_LENGTH),
    argumentsSum: hashOf(text),
    decidedBy: decided_by ?? 'nobody',
    outcome,
    ...(code === undefined ? {} : { code }),
    duration,
  };
}

/** Functions of this process may pass values that are no JSON. */
function jsonOf(params: Record<string, unknown>): string {
  try {
    return JSON.stringify(params);
  } catch {
    return '{}';
  }
}
