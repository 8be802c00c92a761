import { annotationsOf } from '@a2c-smcp/agent';
import type { SMCPTool } from '@a2c-smcp/protocol';
import { defineCommand, UsageError } from '../../command.ts';
import { signatureOf } from '../../output/schema.ts';
import { table } from '../../output/table.ts';
import { agentOptions, computerOption, computersOf, noComputer, openAgent } from './connect.ts';

/** `a2c agent tools` */
export const tools = defineCommand({
  summary: 'List the tools of the office, or of one Computer.',
  options: { ...agentOptions, ...computerOption },
  async run(context) {
    const { options, print, style, signal } = context;
    await using agent = await openAgent(context);
    const computers = options.computer === undefined ? await computersOf(agent, signal) : [options.computer];
    if (computers.length === 0) throw new UsageError(noComputer(agent.office));
    const lists = await Promise.all(
      computers.map(async computer => ({ computer, tools: await agent.getTools(computer, { signal }) })),
    );
    if (options.json) {
      print(JSON.stringify(lists, null, 2));
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
