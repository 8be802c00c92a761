/** Something about a published resource that its author should know, and that costs nobody else anything. */
export interface Problem {
  /** Constant; together with the server and the URI it is the cause. */
  message: string;
  /** The offending values. */
  fields?: Record<string, unknown>;
}
