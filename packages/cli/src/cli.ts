import { VERSION } from '@a2c-smcp/core';
import { closest } from '@a2c-smcp/protocol';
import { type Command, type CommandGroup, type LazyCommand, UsageError, type World } from './command.ts';
import { summaries } from './commands/summaries.ts';
import { Exit, explainFailure } from './failure.ts';
import { commandHelp, groupHelp } from './help.ts';
import { parseLine } from './parse.ts';

/** Commands are loaded lazily: without the Server, an Agent command starts in half the time. */
const loaders: Record<keyof typeof summaries, LazyCommand['load']> = {
  demo: async () => (await import('./commands/demo/demo.ts')).demo,
  server: async () => (await import('./commands/server/server.ts')).server,
  computer: async () => (await import('./commands/computer/computer.ts')).computer,
  agent: async () => (await import('./commands/agent/agent.ts')).agent,
  audit: async () => (await import('./commands/audit/audit.ts')).audit,
  doctor: async () => (await import('./commands/doctor/doctor.ts')).doctor,
  new: async () => (await import('./commands/new/new.ts')).create,
  inspect: async () => (await import('./commands/inspect/inspect.ts')).inspect,
  add: async () => (await import('./commands/config/add.ts')).add,
  remove: async () => (await import('./commands/config/remove.ts')).remove,
  import: async () => (await import('./commands/config/import.ts')).importServers,
  bridge: async () => (await import('./commands/bridge/bridge.ts')).bridge,
  completion: async () => (await import('./commands/completion/completion.ts')).createCompletion(a2c),
  explain: async () => (await import('./commands/explain.ts')).explain,
  vrl: async () => (await import('./commands/vrl.ts')).vrl,
};

const a2c: CommandGroup = {
  summary: 'A2C-SMCP: remote machines in the hands of AI agents.',
  commands: Object.fromEntries(
    (Object.keys(summaries) as (keyof typeof summaries)[]).map(name => [
      name,
      { summary: summaries[name], load: loaders[name] },
    ]),
  ),
};

/** Runs a command line and returns its exit code. Errors become one line on standard error. */
export async function runCli(words: readonly string[], world: World): Promise<number> {
  try {
    if (words[0] === '--version' || words[0] === '-v') {
      world.print(VERSION);
      return Exit.ok;
    }
    return await runGroup('a2c', a2c, words, world);
  } catch (error) {
    if (world.signal.aborted && error === world.signal.reason) return Exit.interrupted;
    const { exitCode, message } = explainFailure(error);
    world.note(`${world.style.red('a2c:')} ${world.redaction.redact(message)}`);
    return exitCode;
  }
}

async function runGroup(path: string, group: CommandGroup, words: readonly string[], world: World): Promise<number> {
  const [name, ...rest] = words;
  if (name === 'help' && rest.length > 0) return runGroup(path, group, [...rest, '--help'], world);
  if (name === undefined || ['--help', '-h', 'help'].includes(name)) {
    world.print(groupHelp(path, group, world.style));
    return name === undefined ? Exit.usage : Exit.ok;
  }
  const known = group.commands[name];
  if (!known || !Object.hasOwn(group.commands, name)) throw new UsageError(unknownCommand(path, name, group));
  const found = 'load' in known ? await known.load() : known;
  const inner = `${path} ${name}`;
  if ('commands' in found) return runGroup(inner, found, rest, world);
  const { summary, subcommands = {} } = found;
  const [first = ''] = rest;
  if (Object.hasOwn(subcommands, first)) return runGroup(inner, { summary, commands: subcommands }, rest, world);
  return runCommand(inner, found, rest, world);
}

async function runCommand(path: string, command: Command, words: readonly string[], world: World): Promise<number> {
  const { help, options, args } = parseLine(command, words, world.env);
  if (help) {
    world.print(commandHelp(path, command, world.style));
    return Exit.ok;
  }
  return (await command.run({ ...world, options, args })) ?? Exit.ok;
}

function unknownCommand(path: string, name: string, { commands }: CommandGroup): string {
  const near = closest(name, Object.keys(commands));
  const hint = near ? `did you mean '${path} ${near}'?` : `there are ${Object.keys(commands).join(', ')}`;
  return `Unknown command '${path} ${name}': ${hint}`;
}
