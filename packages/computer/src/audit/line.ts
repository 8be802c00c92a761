import * as z from 'zod';

/** One line of an audit file: a tool call, who decided about it, and how it ended. */
export const AuditLine = z.looseObject({
  /** Counts the lines of all files from 1. */
  seq: z.number().int().positive(),
  /** The SHA-256 sum of the line before, over all files. */
  prev: z.string().length(64),
  /** ISO 8601, when the call came. */
  time: z.string(),
  reqId: z.string(),
  /** Null for a call from this machine. */
  agent: z.string().nullable(),
  office: z.string().nullable(),
  server: z.string(),
  tool: z.string(),
  /** The arguments as JSON text, secrets masked and cut; left out where only their sum is recorded. */
  arguments: z.string().optional(),
  /** The SHA-256 sum of the arguments as JSON text. */
  argumentsSum: z.string().optional(),
  /** The source of the decision: `auto_apply`, `rule 2`, the name of a face, or the word `nobody`. */
  decidedBy: z.string(),
  outcome: z.string(),
  /** The error code of a call that did not succeed. */
  code: z.number().optional(),
  /** Seconds. */
  duration: z.number(),
});
export type AuditLine = z.infer<typeof AuditLine>;

/** The content of a line, without its place in the chain. */
export type AuditEntry = Omit<AuditLine, 'seq' | 'prev'>;

/** The `prev` of the first line. */
export const CHAIN_START = '0'.repeat(64);

/** Undefined for a line that is damaged. */
export function readAuditLine(text: string): AuditLine | undefined {
  try {
    const line = AuditLine.safeParse(JSON.parse(text));
    return line.success ? line.data : undefined;
  } catch {
    return undefined;
  }
}
