import * as z from 'zod/mini';
import { MAX_TIMEOUT_S } from '../times.ts';
import { ComputerCallData } from './call.ts';
import { AnyContent } from './tools.ts';

/** An MCP prompt as its server lists it, with the name of that server. */
export const Prompt = z.looseObject({
  name: z.string(),
  mcp_server: z.string(),
  title: z.nullish(z.string()),
  description: z.nullish(z.string()),
  arguments: z.nullish(
    z.array(
      z.looseObject({
        name: z.string(),
        description: z.nullish(z.string()),
        required: z.nullish(z.boolean()),
      }),
    ),
  ),
});
export type Prompt = z.infer<typeof Prompt>;

/** A message of a prompt, as MCP has it. */
export const PromptMessage = z.looseObject({
  role: z.string(),
  content: AnyContent,
});
export type PromptMessage = z.infer<typeof PromptMessage>;

/** Asks for one page of an MCP server's prompts; without `mcp_server`, for those of all servers. */
export const GetPromptsReq = z.extend(ComputerCallData, {
  mcp_server: z.nullish(z.string()),
  cursor: z.nullish(z.string()),
});
export type GetPromptsReq = z.infer<typeof GetPromptsReq>;

export const GetPromptsRet = z.looseObject({
  prompts: z.array(Prompt),
  next_cursor: z.nullish(z.string()),
  req_id: z.string(),
});
export type GetPromptsRet = z.infer<typeof GetPromptsRet>;

/** Fills in the arguments of a prompt. `timeout` is in seconds. */
export const GetPromptReq = z.extend(ComputerCallData, {
  mcp_server: z.string(),
  name: z.string(),
  arguments: z.nullish(z.record(z.string(), z.string())),
  timeout: z.nullish(z.int().check(z.minimum(1), z.maximum(MAX_TIMEOUT_S))),
});
export type GetPromptReq = z.infer<typeof GetPromptReq>;

export const GetPromptRet = z.looseObject({
  description: z.nullish(z.string()),
  messages: z.array(PromptMessage),
  req_id: z.string(),
});
export type GetPromptRet = z.infer<typeof GetPromptRet>;
