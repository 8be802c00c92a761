import { type Agent, renderSkill, type SkillFile } from '@a2c-smcp/agent';
import { defineCommand, UsageError } from '../../command.ts';
import { prettyJson } from '../../output/json.ts';
import { sizeText } from '../../output/size.ts';
import { briefLine, safeText } from '../../output/table.ts';
import { agentOptions, computerOption, openAgent, pickComputer } from './connect.ts';

const MAX_MIME_TYPE_LENGTH = 100;

/** `a2c agent skill` */
export const skill = defineCommand({
  summary: 'Print the instructions of a skill, or one of its files.',
  args: 'NAME [PATH]',
  options: { ...agentOptions, ...computerOption },
  examples: [
    'a2c agent skill csv-profile                 # its SKILL.md',
    'a2c agent skill csv-profile reference.md    # another file',
  ],
  async run(context) {
    const { options, args, print, signal } = context;
    const [name, path] = args;
    if (name === undefined) throw new UsageError("Which skill? 'a2c agent skills' lists them");
    await using agent = await openAgent(context);
    const computer = await pickComputer(agent, context);
    const file = await agent.skill(computer, name, path, { signal });
    if (options.json) print(prettyJson(jsonOf(file)));
    else print(await textFor(agent, { computer, file, signal }));
  },
});

interface Shown {
  computer: string;
  file: SkillFile;
  signal: AbortSignal;
}

/** The text as a model would get it, or a line about bytes. */
async function textFor(agent: Agent, { computer, file, signal }: Shown): Promise<string> {
  const { name, text, mimeType, size } = file;
  if (text === undefined) {
    return `[${briefLine(mimeType, MAX_MIME_TYPE_LENGTH)}, ${sizeText(size)}: --json shows it as base64]`;
  }
  if (renderSkill(text, { path: '' }) === text) return safeText(text).trimEnd();
  const ref = (await agent.skills(computer, { signal })).find(candidate => candidate.name === name);
  return safeText(ref ? renderSkill(text, ref) : text).trimEnd();
}

/** Bytes become base64 under the name that MCP has for it. */
function jsonOf({ data, ...file }: SkillFile): object {
  return data === undefined ? file : { ...file, blob: Buffer.from(data).toString('base64') };
}
