import * as z from 'zod/mini';
import { ComputerCallData } from './call.ts';
import { AnyMCPServerInput } from './inputs.ts';
import { MCPServerConfig, MCPServerStdioConfig, MCPServerStreamableHttpConfig, MCPSSEConfig } from './mcp-server.ts';
import { PolicyRule } from './policy.ts';

/** Announces a change of a Computer's configuration, Desktop or Finder. */
export const UpdateComputerConfigReq = z.looseObject({
  computer: z.string(),
});
export type UpdateComputerConfigReq = z.infer<typeof UpdateComputerConfigReq>;

export const UpdateMCPConfigNotification = z.looseObject({
  computer: z.optional(z.string()),
});
export type UpdateMCPConfigNotification = z.infer<typeof UpdateMCPConfigNotification>;

export const UpdateToolListNotification = UpdateMCPConfigNotification.clone();
export type UpdateToolListNotification = z.infer<typeof UpdateToolListNotification>;

export const GetComputerConfigReq = ComputerCallData.clone();
export type GetComputerConfigReq = z.infer<typeof GetComputerConfigReq>;

/** A Computer's configuration with its placeholders unresolved. The one answer without `req_id`. */
export const GetComputerConfigRet = z.looseObject({
  inputs: z.nullish(z.array(AnyMCPServerInput)),
  servers: z.record(z.string(), MCPServerConfig),
});
export type GetComputerConfigRet = z.infer<typeof GetComputerConfigRet>;

/** Further answerers, beside the owner, for questions of MCP servers. */
export const QuestionSettings = z.looseObject({
  /** Lets the Agent whose call it is fill in forms that ask for no secrets. Confirmations always stay with the owner. */
  forward: z.optional(z.literal('agent')),
  /** The MCP servers whose forms are forwarded; all if it is missing. */
  servers: z.optional(z.array(z.string())),
});
export type QuestionSettings = z.infer<typeof QuestionSettings>;

/** A Computer's configuration file. The key of a server is its name, so `name` need not repeat it. */
export const ComputerConfigFile = z.looseObject({
  $schema: z.optional(z.string()),
  inputs: z.optional(z.array(AnyMCPServerInput)),
  /** Rules of the owner about tool calls. Agents do not see them. */
  policy: z.optional(z.array(PolicyRule)),
  questions: z.optional(QuestionSettings),
  servers: z.record(
    z.string().check(z.minLength(1)),
    z.discriminatedUnion('type', [
      z.partial(MCPServerStdioConfig, { name: true }),
      z.partial(MCPServerStreamableHttpConfig, { name: true }),
      z.partial(MCPSSEConfig, { name: true }),
    ]),
  ),
});
export type ComputerConfigFile = z.infer<typeof ComputerConfigFile>;
