import type { AnyMCPServerInput, MCPServerInput } from './schemas/inputs.ts';

const types = { PromptString: 'promptString', PickString: 'pickString', Command: 'command' } as const;

/** The input with its type as the protocol spells it. */
export function plainInput(input: AnyMCPServerInput): MCPServerInput {
  const { [input.type as keyof typeof types]: type = input.type } = types;
  return (type === input.type ? input : { ...input, type }) as MCPServerInput;
}
