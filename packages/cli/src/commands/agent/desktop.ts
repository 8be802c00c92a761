import { defineCommand } from '../../command.ts';
import { readNumber } from '../../options.ts';
import { prettyJson } from '../../output/json.ts';
import { oneLine } from '../../output/table.ts';
import { frame, windowPane } from '../../output/windows.ts';
import { agentOptions, computerOption, openAgent, pickComputer } from './connect.ts';

/** `a2c agent desktop` */
export const desktop = defineCommand({
  summary: "Show a Computer's windows, the most important first.",
  args: '[WINDOW_URI]',
  options: {
    ...agentOptions,
    ...computerOption,
    size: { type: 'string', value: 'N', summary: 'At most so many windows' },
  },
  async run(context) {
    const { options, args, print, style, signal } = context;
    const size = options.size === undefined ? undefined : readNumber('--size', options.size, { min: 0, max: 10_000 });
    await using agent = await openAgent(context);
    const computer = await pickComputer(agent, context);
    const windows = await agent.getDesktop(computer, { size, window: args[0], signal });
    if (options.json) print(prettyJson(windows));
    else if (windows.length === 0)
      print(`No windows on '${oneLine(computer)}'. If there should be some, run 'a2c doctor' on that machine`);
    else for (const line of windows.flatMap(window => frame(windowPane(window), style))) print(line);
  },
});
