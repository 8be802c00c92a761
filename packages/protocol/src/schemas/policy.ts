import * as z from 'zod/mini';

/**
 * A rule of a Computer's owner about tool calls. It applies to calls that match all fields it has. `server`, `tool`,
 * `agent` and `office` may contain `*` and `?`.
 */
export const PolicyRule = z.looseObject({
  decision: z.enum(['allow', 'ask', 'deny']),
  /** The MCP server of the tool. */
  server: z.optional(z.string()),
  /** The tool, by the name that Agents see or that of its MCP server. */
  tool: z.optional(z.string()),
  /** One of the tool's `tags`. */
  tag: z.optional(z.string()),
  /** Annotations of the tool, with the defaults of MCP: `{ "destructiveHint": true }`. */
  annotations: z.optional(z.record(z.string(), z.boolean())),
  agent: z.optional(z.string()),
  office: z.optional(z.string()),
  /** A VRL expression over `.params`, `.tool`, `.server`, `.agent` and `.office`: true or false. */
  when: z.optional(z.string()),
  /** For `ask`: minutes for which a yes counts. */
  minutes: z.optional(z.number().check(z.positive(), z.maximum(24 * 60))),
  /** Shown to the Agent that is refused, and to the person who is asked. */
  reason: z.optional(z.string()),
});
export type PolicyRule = z.infer<typeof PolicyRule>;
