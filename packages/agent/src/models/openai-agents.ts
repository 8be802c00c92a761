import type { CallToolResult, SMCPTool } from '@a2c-smcp/protocol';
import { answerText, dataUrl, partsOf } from './parts.ts';
import { type ToolAgent, Toolbox, type ToolOptions } from './toolbox.ts';

export type { ModelCall, ToolAgent, ToolFilter, ToolOptions } from './toolbox.ts';

/** JSON Schema as `@openai/agents` types it. */
export interface AgentsParameters {
  type: 'object';
  // biome-ignore lint/suspicious/noExplicitAny: as in @openai/agents
  properties: Record<string, any>;
  required: string[];
  additionalProperties: true;
}

/** The output of a call; images are `data:` URLs. */
export type AgentsOutput = string | ({ type: 'text'; text: string } | { type: 'image'; image: string })[];

/** `tool` of `@openai/agents`, as far as it is used. */
export type AgentsToolFactory<T> = (fields: {
  name: string;
  description: string;
  parameters: AgentsParameters;
  strict: false;
  execute: (input: unknown, context?: unknown, details?: { signal?: AbortSignal }) => Promise<AgentsOutput>;
  needsApproval?: (context: unknown, input: unknown) => Promise<boolean>;
}) => T;

export interface AgentsToolOptions extends ToolOptions {
  /** True if the run is interrupted for approval before a call. @default no tool needs it */
  needsApproval?: (tool: SMCPTool, params: unknown, computer: string) => boolean | Promise<boolean>;
}

/**
 * The tools that the office offers now, for `new Agent({ tools })` of `@openai/agents`.
 *
 * @param tool the function of that name of `@openai/agents`
 */
export function agentsTools<T>(agent: ToolAgent, tool: AgentsToolFactory<T>, options: AgentsToolOptions = {}): T[] {
  const toolbox = new Toolbox(agent, options);
  const { needsApproval } = options;
  return toolbox.offer().map(({ name, description, parameters, tool: described, computer }) =>
    tool({
      ...{ name, description, parameters: toParameters(parameters), strict: false },
      execute: async (input, _context, { signal } = {}) =>
        toOutput(await toolbox.run(name, input, signal && { signal })),
      ...(needsApproval && { needsApproval: async (_context, input) => needsApproval(described, input, computer) }),
    }),
  );
}

function toParameters({ properties, required, ...schema }: Record<string, unknown>): AgentsParameters {
  return {
    ...schema,
    type: 'object',
    properties: (properties ?? {}) as AgentsParameters['properties'],
    required: Array.isArray(required) ? required : [],
    additionalProperties: true,
  };
}

function toOutput(result: CallToolResult): AgentsOutput {
  const images = partsOf(result).filter(part => part.type === 'image');
  if (images.length === 0) return answerText(result);
  const pictures = images.map(image => ({ type: 'image' as const, image: dataUrl(image) }));
  return [{ type: 'text', text: answerText(result) }, ...pictures];
}
