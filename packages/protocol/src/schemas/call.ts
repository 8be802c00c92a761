import * as z from 'zod/mini';

/** The fields of every request of an Agent. */
export const AgentCallData = z.looseObject({
  /** The name of the Agent. */
  agent: z.string(),
  /** Names the request, so that its answer and its cancellation can refer to it. Never used twice. */
  req_id: z.string(),
});
export type AgentCallData = z.infer<typeof AgentCallData>;

/** The fields of every request to one Computer, by which the Server routes it. */
export const ComputerCallData = z.extend(AgentCallData, {
  /** The name of the Computer, in the Agent's own office. */
  computer: z.string(),
});
export type ComputerCallData = z.infer<typeof ComputerCallData>;
