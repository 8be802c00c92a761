import { answerText } from './parts.ts';
import { type ToolAgent, Toolbox, type ToolOptions } from './toolbox.ts';

export type { ModelCall, ToolAgent, ToolFilter, ToolOptions } from './toolbox.ts';

/** A tool in a shape that all versions of Mastra call with its arguments. */
export interface MastraTool {
  id: string;
  description: string;
  // biome-ignore lint/suspicious/noExplicitAny: Mastra types schemas by their library, and takes JSON Schema
  parameters: any;
  execute(params: unknown, options?: { abortSignal?: AbortSignal | undefined }): Promise<string>;
}

/** The tools that the office offers now, for `new Agent({ tools })` of Mastra. A result is a text; images are described. */
export function mastraTools(agent: ToolAgent, options?: ToolOptions): Record<string, MastraTool> {
  const toolbox = new Toolbox(agent, options);
  return Object.fromEntries(
    toolbox.offer().map(({ name, description, parameters }) => [
      name,
      {
        ...{ id: name, description, parameters },
        execute: async (params, { abortSignal } = {}) =>
          answerText(await toolbox.run(name, params, abortSignal && { signal: abortSignal })),
      } satisfies MastraTool,
    ]),
  );
}
