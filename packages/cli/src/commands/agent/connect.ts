import { Agent } from '@a2c-smcp/agent';
import type { SMCPTool } from '@a2c-smcp/protocol';
import { type CommandContext, type OptionSpecs, type OptionValues, UsageError, type World } from '../../command.ts';
import { explainFailure } from '../../failure.ts';
import { caOption, connectionOf, connectionOptions, readNumber } from '../../options.ts';
import { untilSeatIsFree } from './seat.ts';

/** The options of every `a2c agent` command. */
export const agentOptions = {
  ...connectionOptions,
  ...caOption,
  name: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    default: 'a2c',
    env: 'A2C_NAME',
    summary: 'The name of the Agent',
  },
  timeout: { type: 'string', short: 't', value: 'SECONDS', default: '60', summary: 'How long to wait for an answer' },
  wait: {
    type: 'string',
    short: 'w',
    value: 'SECONDS',
    env: 'A2C_WAIT',
    summary: 'Wait so long for the seat while another Agent has it',
  },
  json: { type: 'boolean', summary: 'Print JSON' },
} as const satisfies OptionSpecs;

/** The option that selects a Computer. */
export const computerOption = {
  computer: {
    type: 'string',
    short: 'c',
    value: 'NAME',
    env: 'A2C_COMPUTER',
    summary: 'The Computer, if there are several',
  },
} as const satisfies OptionSpecs;

/** The option of commands whose results may have images and files. */
export const saveOption = {
  save: {
    type: 'string',
    short: 's',
    value: 'DIR',
    summary: 'Write images and files here, under their own names; no file is overwritten',
  },
} as const satisfies OptionSpecs;

type AgentContext = World & { options: OptionValues<typeof agentOptions> };

/** Joins the office as its Agent, for one command. */
export async function openAgent(context: AgentContext): Promise<Agent> {
  const { options, signal, redaction } = context;
  const timeout = readNumber('--timeout', options.timeout, { min: 1, max: 3600 }) * 1000;
  const wait = options.wait === undefined ? 0 : readNumber('--wait', options.wait, { min: 0, max: 86_400 }) * 1000;
  const connection = connectionOf(options);
  redaction.hide(connection);
  const connect = () =>
    Agent.connect(options.url, {
      ...connection,
      name: options.name,
      timeout,
      toolTimeout: timeout,
      autoRefresh: [],
      signal,
    });
  return untilSeatIsFree(connect, wait, { ...context, office: options.office });
}

/** The Computer that was named, or all that are in the office. */
export async function pickComputers(
  agent: Agent,
  { options: { computer }, signal }: World & Pick<CommandContext<typeof computerOption>, 'options'>,
): Promise<string[]> {
  const computers = computer === undefined ? await computersOf(agent, signal) : [computer];
  if (computers.length === 0) throw new UsageError(noComputer(agent.office));
  return computers;
}

/** The names of the Computers in the office. */
async function computersOf(agent: Agent, signal: AbortSignal): Promise<string[]> {
  const members = await agent.members({ signal });
  return members.flatMap(({ role, name }) => (role === 'computer' && name !== undefined ? [name] : [])).toSorted();
}

/** The context of a command that takes the Computer as its argument, too. */
export function namedComputer<C extends CommandContext<typeof computerOption>>(context: C): C {
  const [computer = context.options.computer, ...others] = context.args;
  if (others.length > 0) throw new UsageError('One Computer at a time');
  return { ...context, options: { ...context.options, computer } };
}

/** The Computer that was named, or the only one in the office. */
export async function pickComputer(
  agent: Agent,
  { options: { computer }, signal }: World & Pick<CommandContext<typeof computerOption>, 'options'>,
): Promise<string> {
  if (computer !== undefined) return computer;
  const computers = await computersOf(agent, signal);
  const [only, ...others] = computers;
  if (only === undefined) throw new UsageError(noComputer(agent.office));
  if (others.length > 0)
    throw new UsageError(`Several Computers are here (${computers.join(', ')}): choose with -c NAME`);
  return only;
}

export interface ComputerTools {
  computer: string;
  tools: SMCPTool[];
}

/** The tools of one Computer, or of all. One of several that does not answer is noted and skipped. */
export async function collectTools(
  agent: Agent,
  context: World & Pick<CommandContext<typeof computerOption>, 'options'>,
): Promise<ComputerTools[]> {
  const { note, signal } = context;
  const computers = await pickComputers(agent, context);
  const answers = await Promise.allSettled(computers.map(each => agent.getTools(each, { signal })));
  const failures = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason] : []));
  if (failures.length === computers.length) throw failures[0];
  for (const failure of failures) note(explainFailure(failure).message);
  return answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? [{ computer: computers[index] ?? '', tools: answer.value }] : [],
  );
}

function noComputer(office: string): string {
  return `There is no Computer in office '${office}': start one with 'a2c computer --office ${office} --config FILE'`;
}
