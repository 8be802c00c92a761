import { MockLanguageModelV3 } from 'ai/test';

/** The output of a model in one turn. */
export type Turn = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>['content'];

/** A model of the AI SDK with a fixed output per turn, which records its prompts. */
export function scriptedModel(turns: readonly Turn[]): MockLanguageModelV3 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  };
  const finishReason = { unified: 'stop' as const, raw: undefined };
  return new MockLanguageModelV3({
    doGenerate: turns.map(content => ({ content, usage, warnings: [], finishReason })),
  });
}

/** A call of a tool, with the name of the tool as its id. */
export function toolUse(toolName: string, input: string): Turn[number] {
  return { type: 'tool-call', toolCallId: toolName, toolName, input };
}
