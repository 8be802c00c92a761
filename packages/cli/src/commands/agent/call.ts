import { isCancelled } from '@a2c-smcp/agent';
import { closest, type SMCPTool } from '@a2c-smcp/protocol';
import { defineCommand, UsageError } from '../../command.ts';
import { Exit } from '../../failure.ts';
import { prettyJson } from '../../output/json.ts';
import { showProgress } from '../../output/progress.ts';
import { resultLines, saveBlobs } from '../../output/result.ts';
import { oneLine } from '../../output/table.ts';
import { agentOptions, type ComputerTools, collectTools, computerOption, openAgent } from './connect.ts';
import { readParams } from './params.ts';

/** `a2c agent call` */
export const call = defineCommand({
  summary: 'Call a tool. Ctrl-C cancels the call.',
  args: 'TOOL [key=value…]',
  options: {
    ...agentOptions,
    ...computerOption,
    params: { type: 'string', short: 'p', value: 'JSON', summary: 'The parameters as a JSON object' },
    save: { type: 'string', short: 's', value: 'DIR', summary: 'Write images and files of the result here' },
  },
  examples: ["a2c agent call calculate expression='2 * 21'", 'a2c agent call time -p \'{"timezone": "Asia/Tokyo"}\''],
  async run(context) {
    const { options, args, print, note, style, signal, terminal } = context;
    const [name, ...words] = args;
    if (name === undefined) throw new UsageError("Which tool? 'a2c agent tools' lists them");
    await using agent = await openAgent(context);
    const { computer, tool } = findTool(await collectTools(agent, context), name);
    const params = readParams(words, options.params, tool.params_schema);
    using _ = showProgress(terminal, seconds => `${style.cyan(oneLine(name))} on ${oneLine(computer)} … ${seconds} s`);
    const result = await agent.callTool({ computer, tool: name, params }, { signal });
    terminal?.status(undefined);
    if (options.json) print(prettyJson(result));
    else for (const line of resultLines(result)) (result.isError === true ? note : print)(line);
    if (options.save !== undefined) {
      for (const path of await saveBlobs(result, options.save)) note(style.dim(`saved ${path}`));
    }
    if (isCancelled(result)) return Exit.interrupted;
    return result.isError === true ? Exit.failed : Exit.ok;
  },
});

/** The Computer that has the tool, and the tool itself. */
function findTool(lists: readonly ComputerTools[], name: string): { computer: string; tool: SMCPTool } {
  const all = lists.flatMap(({ computer, tools }) => tools.map(tool => ({ computer, tool })));
  const [found, ...others] = all.filter(({ tool }) => tool.name === name);
  if (found && others.length > 0) {
    const places = [found, ...others].map(place => place.computer).join(', ');
    throw new UsageError(`Several Computers have a tool '${name}' (${places}): choose with -c NAME`);
  }
  if (found) return found;
  const names = all.map(({ tool }) => tool.name);
  const near = closest(name, names);
  throw new UsageError(`No tool '${name}' here: ${near ? `did you mean '${near}'?` : "'a2c agent tools' lists them"}`);
}
