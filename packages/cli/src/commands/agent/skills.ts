import { defineCommand } from '../../command.ts';
import { prettyJson } from '../../output/json.ts';
import { skillTable } from '../../output/skills.ts';
import { oneLine } from '../../output/table.ts';
import { agentOptions, computerOption, openAgent, pickComputer } from './connect.ts';

/** `a2c agent skills` */
export const skills = defineCommand({
  summary: "List a Computer's skills.",
  options: { ...agentOptions, ...computerOption },
  async run(context) {
    const { options, print, style, signal } = context;
    await using agent = await openAgent(context);
    const computer = await pickComputer(agent, context);
    const found = await agent.skills(computer, { signal });
    if (options.json) print(prettyJson(found));
    else if (found.length === 0) print(`No skills: start '${oneLine(computer)}' with --skills FOLDER`);
    else for (const line of skillTable(found, style)) print(line);
  },
});
