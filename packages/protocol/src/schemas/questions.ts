import * as z from 'zod/mini';
import { ComputerCallData } from './call.ts';

/** Extension: an MCP server wants a form filled in during the tool call `req_id`, and the Agent may do so. */
export const ToolQuestion = z.looseObject({
  computer: z.string(),
  req_id: z.string(),
  question_id: z.string(),
  mcp_server: z.string(),
  message: z.string(),
  /** The wanted values: MCP's flat JSON Schema of a form. */
  schema: z.record(z.string(), z.unknown()),
});
export type ToolQuestion = z.infer<typeof ToolQuestion>;

/** Extension: the Agent's answer, in the words of MCP. */
export const AnswerQuestionReq = z.extend(ComputerCallData, {
  question_id: z.string(),
  action: z.enum(['accept', 'decline', 'cancel']),
  /** The filled form, for `accept`. */
  content: z.optional(z.record(z.string(), z.unknown())),
});
export type AnswerQuestionReq = z.infer<typeof AnswerQuestionReq>;

export const AnswerQuestionRet = z.looseObject({
  /** False if the question is over: somebody else answered it, or its call ended. */
  accepted: z.boolean(),
  req_id: z.string(),
});
export type AnswerQuestionRet = z.infer<typeof AnswerQuestionRet>;
