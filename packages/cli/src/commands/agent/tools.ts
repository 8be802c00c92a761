import { annotationsOf } from '@a2c-smcp/agent';
import type { SMCPTool } from '@a2c-smcp/protocol';
import { defineCommand } from '../../command.ts';
import { prettyJson } from '../../output/json.ts';
import { signatureOf } from '../../output/schema.ts';
import { table } from '../../output/table.ts';
import { agentOptions, collectTools, computerOption, openAgent } from './connect.ts';

/** `a2c agent tools` */
export const tools = defineCommand({
  summary: 'List the tools of the office, or of one Computer.',
  options: { ...agentOptions, ...computerOption },
  async run(context) {
    const { options, print, style } = context;
    await using agent = await openAgent(context);
    const lists = await collectTools(agent, context);
    if (options.json) {
      print(prettyJson(lists));
      return;
    }
    const rows = lists.flatMap(({ computer, tools: list }) => list.map(tool => [computer, ...toolRow(tool)]));
    const paint = (cell: string, column: number) => (column === 1 ? style.cyan(cell) : cell);
    for (const line of table(['COMPUTER', 'TOOL', 'PARAMETERS', 'DESCRIPTION'], rows, { style, paint })) print(line);
  },
});

/** A tool as name, parameters and description. */
export function toolRow(tool: SMCPTool): string[] {
  const { destructiveHint } = annotationsOf(tool);
  const warning = destructiveHint === true ? '(destructive) ' : '';
  return [tool.name, signatureOf(tool.params_schema), warning + tool.description];
}
