import type { SMCPTool } from '@a2c-smcp/protocol';
import { defineCommand } from '../../command.ts';
import { prettyJson } from '../../output/json.ts';
import { oneLine } from '../../output/table.ts';
import { mentions, toolList, weightText } from '../../output/tools.ts';
import { agentOptions, type ComputerTools, collectTools, computerOption, openAgent } from './connect.ts';

/** `a2c agent tools` */
export const tools = defineCommand({
  summary: 'List the tools of the office, or of one Computer. Words filter them.',
  args: '[WORD…]',
  options: { ...agentOptions, ...computerOption },
  examples: [
    'a2c agent tools              # all, by MCP server',
    'a2c agent tools file read    # those that mention both words',
    'a2c agent tool read_file     # one with its parameters and an example',
  ],
  async run(context) {
    const { options, args, print, note, style } = context;
    await using agent = await openAgent(context);
    const all = await collectTools(agent, context);
    const lists = all.map(({ computer, tools: list }) => ({ computer, tools: list.filter(mentions(args)) }));
    if (options.json) {
      print(prettyJson(lists));
      return;
    }
    const found = lists.filter(({ tools: list }) => list.length > 0);
    if (found.length === 0) print(nothing(all, args));
    for (const [index, { computer, tools: list }] of found.entries()) {
      if (index > 0) print('');
      for (const line of toolList(computer, list, style)) print(line);
    }
    const listed = found.flatMap(({ tools: list }) => list);
    if (listed.length > 0) note(style.dim(summary(listed)));
  },
});

function nothing(all: readonly ComputerTools[], words: readonly string[]): string {
  const count = all.reduce((sum, { tools: list }) => sum + list.length, 0);
  const places = all.map(({ computer }) => `'${oneLine(computer)}'`).join(', ');
  if (count === 0) return `No tools: the MCP servers of ${places} offer none; 'a2c agent config' lists them`;
  return `None of ${count} tools mentions ${words.map(word => `'${oneLine(word)}'`).join(' and ')}`;
}

function summary(listed: readonly SMCPTool[]): string {
  return `${weightText(listed)} for a model. 'a2c agent tool NAME' shows one in full.`;
}
