import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';

/** The prompt of the bridge itself. */
export const USE_OFFICE: Prompt = {
  name: 'use-office',
  title: 'Use the office',
  description: 'Do a task with the computers of this office',
  arguments: [{ name: 'task', description: 'What to do', required: false }],
};

/** The messages of `use-office`. */
export function useOfficePrompt(task: string | undefined): GetPromptResult {
  const steps =
    "Use the computers of this office. First call the tool 'office' to see which computers are there, and 'desktop' to " +
    'see their state. Then work step by step, say on which computer each step runs, and check the outcome.';
  const text = task === undefined || task === '' ? steps : `${steps}\n\nThe task: ${task}`;
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}
