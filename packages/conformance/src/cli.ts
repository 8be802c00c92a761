import { type CommandLine, HELP, parseCommandLine, UsageError } from './args.ts';
import { isWanted, type PlayOptions, type Result, rulesOf } from './play.ts';
import { formatResult, formatSummary } from './report.ts';
import { type RequirementId, requirements } from './rules.ts';
import { agentChecks, playAgent } from './targets/agent.ts';
import { agentCommand } from './targets/agent-command.ts';
import { computerChecks, playComputer } from './targets/computer.ts';
import { computerCommand } from './targets/computer-command.ts';
import { playServer, serverChecks } from './targets/server.ts';

/** The parts of the process that a run may use. */
export interface World {
  print: (text: string) => void;
  complain: (text: string) => void;
  signal: AbortSignal;
}

/** Runs the command line and returns the exit code. */
export async function run(args: readonly string[], world: World): Promise<number> {
  try {
    const line = parseCommandLine(args);
    if (line === 'help') {
      world.print(HELP);
      return 0;
    }
    const rules = wantedRules(line);
    if (!line.list) return await playAll(line, world);
    world.print(rules.map(rule => `${rule}: ${requirements[rule].rule}\n`).join(''));
    return 0;
  } catch (error) {
    world.complain(`${error instanceof Error ? error.message : error}\n`);
    if (error instanceof UsageError) world.complain("'a2c-conformance --help' shows how it is used.\n");
    return 2;
  }
}

const checks = { server: serverChecks, computer: computerChecks, agent: agentChecks };

function wantedRules({ target, options: { only } }: CommandLine): RequirementId[] {
  const played = rulesOf<never>(checks[target]).map(([rule]) => rule);
  const unknown = only?.find(pattern => !played.some(rule => isWanted(rule, [pattern])));
  if (unknown !== undefined)
    throw new UsageError(`No rule '${unknown}' is played against this kind of peer: '${target} --list' shows all`);
  return played.filter(rule => isWanted(rule, only));
}

async function playAll(line: CommandLine, { print, signal }: World): Promise<number> {
  const onResult = (result: Result) => {
    if (!line.json) print(`${formatResult(result)}\n`);
  };
  const results = await play(line, { onResult, signal });
  print(line.json ? `${JSON.stringify(results, null, 2)}\n` : `\n${formatSummary(results)}\n`);
  return signal.aborted || results.some(({ outcome }) => outcome === 'fail') ? 1 : 0;
}

async function play({ target, url, command, options: given }: CommandLine, more: PlayOptions): Promise<Result[]> {
  const options = { ...given, ...more };
  if (target === 'server') return playServer(url, options);
  if (target === 'computer') return playComputer(computerCommand(command), options);
  await using connect = agentCommand(command);
  return await playAgent(connect, options);
}
