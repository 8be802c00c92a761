import { isCancelled } from '@a2c-smcp/agent';
import { closest, findTool, type SMCPTool, toolsCalled } from '@a2c-smcp/protocol';
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
    const { computer, tool } = pickTool(await collectTools(agent, context), name);
    const params = readParams(words, options.params, tool.params_schema);
    using line = showProgress(terminal, `${style.cyan(oneLine(name))} on ${oneLine(computer)}`);
    const result = await agent.callTool(
      { computer, tool: tool.name, params },
      { signal, onProgress: report => line.report(report) },
    );
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
function pickTool(lists: readonly ComputerTools[], name: string): { computer: string; tool: SMCPTool } {
  const [found, ...others] = lists.flatMap(({ computer, tools }) => {
    const tool = findTool(tools, name);
    return tool ? [{ computer, tool }] : [];
  });
  if (found && others.length > 0) {
    const places = [found, ...others].map(place => place.computer).join(', ');
    throw new UsageError(`Several Computers have a tool '${name}' (${places}): choose with -c NAME`);
  }
  if (found) return found;
  const meant = lists.flatMap(({ tools }) => toolsCalled(tools, name)).map(tool => tool.name);
  if (meant.length > 0) throw new UsageError(`Several tools are called '${name}': choose one of ${meant.join(', ')}`);
  const names = lists.flatMap(({ tools }) => tools).flatMap(tool => [tool.name, shortName(tool)]);
  const near = closest(name, names);
  throw new UsageError(`No tool '${name}' here: ${near ? `did you mean '${near}'?` : "'a2c agent tools' lists them"}`);
}

/** The name without the `bundle_id`, as people may type it. */
function shortName({ name, bundle_id }: SMCPTool): string {
  const prefix = `${bundle_id ?? ''}__`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}
