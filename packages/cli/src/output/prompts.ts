import type { Prompt, PromptMessage } from '@a2c-smcp/protocol';
import { blockLines, type ResultOptions } from './result.ts';
import type { Style } from './style.ts';
import { briefLine } from './table.ts';
import { entryLines, where } from './tools.ts';

const MAX_ROLE_LENGTH = 20;

/** Prompts under the MCP server they belong to. `place` is the Computer. */
export function promptList(place: string, prompts: readonly Prompt[], style: Style): string[] {
  const servers = [...new Set(prompts.map(prompt => prompt.mcp_server))];
  return servers.flatMap((server, index) => {
    const members = prompts.filter(prompt => prompt.mcp_server === server);
    const count = `${members.length} ${members.length === 1 ? 'prompt' : 'prompts'}`;
    return [
      ...(index > 0 ? [''] : []),
      `${style.bold(where(place, server))}  ${style.dim(count)}`,
      ...members.flatMap(prompt => promptLines(prompt, style)),
    ];
  });
}

/** The messages of a prompt, each under its role. */
export function messageLines(messages: readonly PromptMessage[], style: Style, options: ResultOptions): string[] {
  return messages.flatMap(({ role, content }, index) => [
    ...(index > 0 ? [''] : []),
    style.bold(briefLine(role, MAX_ROLE_LENGTH)),
    ...blockLines([content], options),
  ]);
}

/** The names of its arguments; `?` marks those that may be left out. */
export function argumentNames({ arguments: args }: Prompt): string {
  return (args ?? []).map(({ name, required }) => (required === true ? name : `${name}?`)).join(' ');
}

function promptLines(prompt: Prompt, style: Style): string[] {
  const description = prompt.description ?? prompt.title ?? '';
  return entryLines({ name: prompt.name, signature: argumentNames(prompt), description }, style);
}
