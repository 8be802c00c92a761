import * as z from 'zod/mini';

/** What every request of an Agent carries. */
export const AgentCallData = z.looseObject({
  /** The name of the Agent. */
  agent: z.string(),
  /** Names the request, so that its answer and its cancellation can refer to it. Never used twice. */
  req_id: z.string(),
});
export type AgentCallData = z.infer<typeof AgentCallData>;

/** What every request to one Computer carries: the fields the Server routes by. */
export const ComputerCallData = z.extend(AgentCallData, {
  /** The name of the Computer, in the Agent's own office. */
  computer: z.string(),
});
export type ComputerCallData = z.infer<typeof ComputerCallData>;
