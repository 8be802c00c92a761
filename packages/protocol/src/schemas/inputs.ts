import * as z from 'zod';

/** A value that a configuration refers to as `${input:id}` instead of containing it. */
export const MCPServerInputBase = z.looseObject({
  id: z.string(),
  description: z.string(),
});
export type MCPServerInputBase = z.infer<typeof MCPServerInputBase>;

/** A text to be typed; hidden while it is typed when `password` is true. */
export const MCPServerPromptStringInput = MCPServerInputBase.extend({
  type: z.literal('promptString'),
  default: z.string().nullish(),
  password: z.boolean().nullish(),
});
export type MCPServerPromptStringInput = z.infer<typeof MCPServerPromptStringInput>;

/** A choice among `options`. */
export const MCPServerPickStringInput = MCPServerInputBase.extend({
  type: z.literal('pickString'),
  options: z.array(z.string()),
  default: z.string().nullish(),
});
export type MCPServerPickStringInput = z.infer<typeof MCPServerPickStringInput>;

/** The output of a command. */
export const MCPServerCommandInput = MCPServerInputBase.extend({
  type: z.literal('command'),
  command: z.string(),
  args: z.record(z.string(), z.string()).nullish(),
});
export type MCPServerCommandInput = z.infer<typeof MCPServerCommandInput>;

export const MCPServerInput = z.discriminatedUnion('type', [
  MCPServerPromptStringInput,
  MCPServerPickStringInput,
  MCPServerCommandInput,
]);
export type MCPServerInput = z.infer<typeof MCPServerInput>;
