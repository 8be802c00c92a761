import { defineCommand, UsageError } from '../../command.ts';
import { quoted } from '../../output/example-call.ts';
import { prettyJson } from '../../output/json.ts';
import { toolDetails } from '../../output/tools.ts';
import { agentOptions, collectTools, computerOption, openAgent } from './connect.ts';
import { pickTool } from './pick-tool.ts';

/** `a2c agent tool` */
export const tool = defineCommand({
  summary: 'Show one tool: its description, its parameters with types and defaults, and an example call.',
  args: 'NAME',
  options: { ...agentOptions, ...computerOption },
  examples: ['a2c agent tool calculate', 'a2c agent tool calculate --json   # its JSON Schema'],
  async run(context) {
    const { options, args, print, style } = context;
    const [name, ...others] = args;
    if (name === undefined) throw new UsageError("Which tool? 'a2c agent tools' lists them");
    if (others.length > 0) throw new UsageError('One tool at a time');
    await using agent = await openAgent(context);
    const lists = await collectTools(agent, context);
    const { computer, tool: found } = pickTool(lists, name);
    if (options.json) {
      print(prettyJson({ computer, ...found }));
      return;
    }
    const call = `a2c agent call${lists.length > 1 || options.computer !== undefined ? ` -c ${quoted(computer)}` : ''}`;
    for (const line of toolDetails(found, { place: computer, call, style })) print(line);
  },
});
