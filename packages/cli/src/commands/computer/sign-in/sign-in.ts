import { Computer, type McpServerStatus, readConfigFile } from '@a2c-smcp/computer';
import { closest, type MCPServerConfig } from '@a2c-smcp/protocol';
import { defineCommand, type OptionSpecs, UsageError, type World } from '../../../command.ts';
import { Exit } from '../../../failure.ts';
import { inputOption, inputValuesOf, readChoice } from '../../../options.ts';
import { showProgress } from '../../../output/progress.ts';
import { oneLine } from '../../../output/table.ts';
import { configFileOf } from '../../config/location.ts';
import { configOption } from '../config-option.ts';
import { openStore } from '../store.ts';
import { RunningComputer } from './control-client.ts';
import { isHeadless, walkThrough } from './walk-through.ts';

/** Stores that outlive this command. */
const STORES = ['file', 'keychain'] as const;

const options = {
  ...configOption,
  name: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    env: 'A2C_NAME',
    summary: 'The running Computer, if several have this configuration',
  },
  ...inputOption,
  store: {
    type: 'string',
    value: STORES.join('|'),
    default: 'file',
    env: 'A2C_STORE',
    summary: 'Where the sign-in is stored, if no Computer with this configuration runs',
  },
} as const satisfies OptionSpecs;

/** `a2c computer sign-in` */
export const signIn = defineCommand({
  summary: 'Sign in to an MCP server that wants OAuth, also while the Computer runs.',
  args: 'NAME',
  options: {
    ...options,
    'no-browser': { type: 'boolean', summary: 'Print the address; the one that the browser returns to can be pasted' },
    device: { type: 'boolean', summary: 'Print a code to type on any device, if the service offers that' },
  },
  examples: ['a2c computer sign-in github', 'a2c computer sign-in github --config mcp.json --no-browser'],
  async run({ options: given, args, ...world }) {
    const { env, signal, print, style } = world;
    const opensBrowser = !given['no-browser'] && !given.device && !isHeadless(env);
    const device = given.device || (!opensBrowser && !given['no-browser']);
    const status = await withComputer({ ...given, server: args[0] }, world, (computer, server) =>
      walkThrough(step => computer.signIn(server, step), { server, opensBrowser, device, signal }, world),
    );
    print(`${style.green('Signed in')} to '${oneLine(status.name)}', which ${outcomeOf(status)}`);
    return status.state === 'failed' ? Exit.failed : Exit.ok;
  },
});

/** `a2c computer sign-out` */
export const signOut = defineCommand({
  summary: 'Give back and forget what a sign-in to an MCP server granted.',
  args: 'NAME',
  options,
  examples: ['a2c computer sign-out github'],
  async run({ options: given, args, ...world }) {
    const status = await withComputer({ ...given, server: args[0] }, world, (computer, server) =>
      computer.signOut(server),
    );
    world.print(`Signed out of '${oneLine(status.name)}'`);
  },
});

/** The lines that a person reads after a sign-in. */
export function outcomeOf({ state, tools, error }: McpServerStatus): string {
  if (state === 'ready') return tools === 1 ? 'is ready with one tool' : `is ready with ${tools} tools`;
  return error === undefined ? `is ${state}` : `failed: ${oneLine(error)}`;
}

interface Given {
  server: string | undefined;
  config: string | undefined;
  name: string | undefined;
  input: string[];
  store: string;
}

/** Uses the running Computer of a configuration or, if there is none, one that has this MCP server only. */
async function withComputer<T>(
  given: Given,
  world: World,
  act: (computer: Pick<Computer, 'signIn' | 'signOut'>, server: string) => Promise<T>,
): Promise<T> {
  const { env, note, style, redaction } = world;
  const { server } = given;
  if (server === undefined) throw new UsageError('Which MCP server? Give its name');
  const configFile = configFileOf(given.config, env);
  const running = await RunningComputer.find(configFile, given.name, env);
  if (running) return act(running, server);
  if (configFile === undefined) throw new UsageError('Which configuration? Name it with --config FILE');
  const { servers, inputs } = await readConfigFile(configFile);
  const config = servers[server];
  if (!config) throw new UsageError(unknownServer(server, Object.keys(servers), configFile));
  const kind = readChoice('--store', given.store, STORES);
  const store = await openStore(kind, env);
  const inputValues = inputValuesOf({ input: given.input });
  await using computer = await Computer.open({ name: 'sign-in', inputs, inputValues, env, store });
  redaction.add(text => computer.redact(text));
  await connect(computer, config, configFile, world);
  const done = await act(computer, server);
  note(style.dim(`A Computer with '--store ${kind}' finds it`));
  return done;
}

async function connect(computer: Computer, config: MCPServerConfig, file: string, { terminal }: World): Promise<void> {
  using _ = showProgress(terminal, 'Connecting to the MCP server');
  await computer.addServer({ ...config, disabled: false }, { file });
}

function unknownServer(name: string, known: readonly string[], file: string): string {
  const near = closest(name, known);
  const hint = near ? `did you mean '${near}'?` : `there are ${known.join(', ') || 'none'}`;
  return `There is no MCP server '${name}' in '${file}': ${hint}`;
}
