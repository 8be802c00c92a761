import type { Agent } from '@a2c-smcp/agent';
import { closest, type Prompt } from '@a2c-smcp/protocol';
import { type CommandContext, defineCommand, type OptionSpecs, UsageError, type World } from '../../command.ts';
import { explainFailure } from '../../failure.ts';
import { readTextSource } from '../../options.ts';
import { saveAttachments } from '../../output/attachments.ts';
import { prettyJson } from '../../output/json.ts';
import { messageLines, promptList } from '../../output/prompts.ts';
import { SAVE_HINT } from '../../output/result.ts';
import { oneLine } from '../../output/table.ts';
import { agentOptions, computerOption, openAgent, pickComputers, saveOption } from './connect.ts';
import { jsonOf, readParams, splitWords } from './params.ts';

const promptOptions = {
  ...agentOptions,
  ...computerOption,
  server: { type: 'string', value: 'NAME', summary: 'Only those of this MCP server' },
  params: {
    type: 'string',
    short: 'p',
    value: 'JSON',
    summary: 'The arguments of the prompt as a JSON object, @FILE with one, or - for standard input',
  },
  ...saveOption,
} as const satisfies OptionSpecs;

type PromptContext = World & CommandContext<typeof promptOptions>;

interface ComputerPrompts {
  computer: string;
  prompts: Prompt[];
}

/** `a2c agent prompts` */
export const prompts = defineCommand({
  summary: 'List the prompts of the MCP servers, or print the messages of one.',
  args: '[PROMPT [key=value…]]',
  options: promptOptions,
  examples: [
    'a2c agent prompts                           # all, by MCP server',
    'a2c agent prompts review path=src/main.ts   # the messages of one',
    'a2c agent prompts review code=@main.ts      # the text of a file; @- is standard input, @@ an @',
    'a2c agent prompts review -p \'{"path": "src/main.ts"}\'',
  ],
  async run(context) {
    const { options, args, print, style, signal } = context;
    const [name, ...words] = args;
    const read = (path: string) => readTextSource(path, context);
    const given = await splitWords(words, read);
    const json = await jsonOf(options.params, read);
    await using agent = await openAgent(context);
    const lists = await collectPrompts(agent, context);
    if (name === undefined) {
      if (options.json) print(prettyJson(lists));
      else for (const line of listLines(lists, context)) print(line);
      return;
    }
    const { computer, prompt } = pickPrompt(lists, name);
    const values = textsOf(prompt, readParams(given, json, schemaOf(prompt), 'prompt'));
    const wanted = { server: prompt.mcp_server, name, arguments: values };
    const result = await agent.getPrompt(computer, wanted, { signal });
    const blocks = result.messages.map(({ content }) => content);
    const saved = options.save === undefined ? undefined : await saveAttachments(blocks, options.save);
    if (options.json) print(prettyJson(result));
    else for (const line of messageLines(result.messages, style, { saved, hint: SAVE_HINT })) print(line);
  },
});

/** The prompts of one Computer, or of all. One of several that does not answer is noted and skipped. */
async function collectPrompts(agent: Agent, context: PromptContext): Promise<ComputerPrompts[]> {
  const { note, options, signal } = context;
  const computers = await pickComputers(agent, context);
  const list = async (computer: string) => ({
    computer,
    prompts: (await agent.getPrompts(computer, { signal })).prompts.filter(
      ({ mcp_server }) => options.server === undefined || mcp_server === options.server,
    ),
  });
  const answers = await Promise.allSettled(computers.map(list));
  const failures = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason] : []));
  if (failures.length === computers.length) throw failures[0];
  for (const failure of failures) note(explainFailure(failure).message);
  return answers.flatMap(answer => (answer.status === 'fulfilled' ? [answer.value] : []));
}

function listLines(lists: readonly ComputerPrompts[], { options, style }: PromptContext): string[] {
  const found = lists.filter(list => list.prompts.length > 0);
  if (found.length === 0) {
    const places = lists.map(({ computer }) => `'${oneLine(computer)}'`).join(', ');
    const owner = options.server === undefined ? 'no MCP server' : `MCP server '${oneLine(options.server)}'`;
    return [`No prompts: ${owner} of ${places} ${options.server === undefined ? 'offers any' : 'offers none'}`];
  }
  return found.flatMap(({ computer, prompts: listed }, index) => [
    ...(index > 0 ? [''] : []),
    ...promptList(computer, listed, style),
  ]);
}

function pickPrompt(lists: readonly ComputerPrompts[], name: string): { computer: string; prompt: Prompt } {
  const all = lists.flatMap(({ computer, prompts: listed }) => listed.map(prompt => ({ computer, prompt })));
  const [found, ...others] = all.filter(({ prompt }) => prompt.name === name);
  if (found && others.length > 0) {
    const places = [found, ...others].map(({ computer, prompt }) => `${computer} / ${prompt.mcp_server}`).join(', ');
    throw new UsageError(
      `Several MCP servers have a prompt '${name}' (${oneLine(places)}): choose with -c NAME and --server NAME`,
    );
  }
  if (found) return found;
  const near = closest(
    name,
    all.map(({ prompt }) => prompt.name),
  );
  const hint = near === undefined ? "'a2c agent prompts' lists them" : `did you mean '${oneLine(near)}'?`;
  throw new UsageError(`No prompt '${name}' here: ${hint}`);
}

/** The arguments of a prompt as the parameters of a tool: all are texts. */
function schemaOf({ arguments: args }: Prompt): Record<string, unknown> {
  const properties = Object.fromEntries((args ?? []).map(({ name }) => [name, { type: 'string' }]));
  const required = (args ?? []).filter(each => each.required === true).map(({ name }) => name);
  return { type: 'object', properties, required };
}

/** MCP has texts only; other values are written as JSON. */
function textsOf(prompt: Prompt, params: Record<string, unknown>): Record<string, string> {
  const missing = (prompt.arguments ?? []).find(
    ({ name, required }) => required === true && !Object.hasOwn(params, name),
  );
  if (missing) {
    const example = `a2c agent prompts ${oneLine(prompt.name)} ${oneLine(missing.name)}=…`;
    throw new UsageError(`The prompt needs '${oneLine(missing.name)}': write '${example}'`);
  }
  const texts = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return Object.fromEntries(texts);
}
