import * as z from 'zod/mini';

/** A value that a configuration refers to as `${input:id}` instead of containing it. */
export const MCPServerInputBase = z.looseObject({
  id: z.string(),
  description: z.string(),
});
export type MCPServerInputBase = z.infer<typeof MCPServerInputBase>;

/** A text to be typed; hidden while it is typed when `password` is true. */
export const MCPServerPromptStringInput = z.extend(MCPServerInputBase, {
  type: z.literal('promptString'),
  default: z.nullish(z.string()),
  password: z.nullish(z.boolean()),
});
export type MCPServerPromptStringInput = z.infer<typeof MCPServerPromptStringInput>;

/** One choice: what a person sees, and the value that is stored and inserted. */
export const PickStringOption = z.looseObject({
  label: z.string(),
  value: z.string(),
});
export type PickStringOption = z.infer<typeof PickStringOption>;

/** A choice among `options`: texts up to protocol 0.3.1, pairs from 0.3.2 on. `default` is one of the values. */
export const MCPServerPickStringInput = z.extend(MCPServerInputBase, {
  type: z.literal('pickString'),
  options: z.array(
    z.union([z.string(), PickStringOption], { error: 'expected a text or an object with `label` and `value`' }),
  ),
  default: z.nullish(z.string()),
});
export type MCPServerPickStringInput = z.infer<typeof MCPServerPickStringInput>;

/** The output of a command. */
export const MCPServerCommandInput = z.extend(MCPServerInputBase, {
  type: z.literal('command'),
  command: z.string(),
  args: z.nullish(z.record(z.string(), z.string())),
});
export type MCPServerCommandInput = z.infer<typeof MCPServerCommandInput>;

export const MCPServerInput = z.discriminatedUnion('type', [
  MCPServerPromptStringInput,
  MCPServerPickStringInput,
  MCPServerCommandInput,
]);
export type MCPServerInput = z.infer<typeof MCPServerInput>;

/** An input as others write it: the types of the Rust SDK (0.4.1) begin with a capital letter. */
export const AnyMCPServerInput = z.discriminatedUnion('type', [
  MCPServerPromptStringInput,
  MCPServerPickStringInput,
  MCPServerCommandInput,
  z.extend(MCPServerPromptStringInput, { type: z.literal('PromptString') }),
  z.extend(MCPServerPickStringInput, { type: z.literal('PickString') }),
  z.extend(MCPServerCommandInput, { type: z.literal('Command') }),
]);
export type AnyMCPServerInput = z.infer<typeof AnyMCPServerInput>;
