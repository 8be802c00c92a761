import { Agent } from '@a2c-smcp/agent';
import { type CommandContext, type OptionSpecs, type OptionValues, UsageError, type World } from '../../command.ts';
import { connectionOf, connectionOptions, readNumber } from '../../options.ts';

/** The options of every `a2c agent` command. */
export const agentOptions = {
  ...connectionOptions,
  name: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    default: 'a2c',
    env: 'A2C_NAME',
    summary: 'What the Agent is called',
  },
  timeout: { type: 'string', short: 't', value: 'SECONDS', default: '60', summary: 'How long to wait for an answer' },
  json: { type: 'boolean', summary: 'Print JSON' },
} as const satisfies OptionSpecs;

/** The option that says whose tools, windows or documents are meant. */
export const computerOption = {
  computer: {
    type: 'string',
    short: 'c',
    value: 'NAME',
    env: 'A2C_COMPUTER',
    summary: 'The Computer, if there are several',
  },
} as const satisfies OptionSpecs;

type AgentContext = World & { options: OptionValues<typeof agentOptions> };

/** Enters the office as its Agent, for the time of one command. */
export async function openAgent({ options, signal }: AgentContext): Promise<Agent> {
  const timeout = readNumber('--timeout', options.timeout, { min: 1, max: 3600 }) * 1000;
  return Agent.connect(options.url, {
    ...connectionOf(options),
    name: options.name,
    timeout,
    toolTimeout: timeout,
    autoRefresh: [],
    signal,
  });
}

/** The names of the Computers in the office. */
export async function computersOf(agent: Agent, signal: AbortSignal): Promise<string[]> {
  const members = await agent.members({ signal });
  return members.flatMap(({ role, name }) => (role === 'computer' && name !== undefined ? [name] : [])).toSorted();
}

/** The Computer that is meant: the one that was named, or the only one there is. */
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

/** What to tell somebody whose office is empty. */
export function noComputer(office: string): string {
  return `There is no Computer in office '${office}': start one with 'a2c computer --office ${office} --config FILE'`;
}
