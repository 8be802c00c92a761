import { parseArgs } from 'node:util';
import { lines } from './line.ts';
import { isWanted, type PlayOptions, type Result, rulesOf } from './play.ts';
import { formatResult, formatSummary } from './report.ts';
import { requirements } from './rules.ts';
import { agentChecks, playAgent } from './targets/agent.ts';
import { agentCommand } from './targets/agent-command.ts';
import { computerChecks, playComputer } from './targets/computer.ts';
import { computerCommand } from './targets/computer-command.ts';
import { playServer, serverChecks } from './targets/server.ts';

export const HELP = `Usage: a2c-conformance server URL [options]
       a2c-conformance computer [options] -- COMMAND…
       a2c-conformance agent [options] -- COMMAND…

Plays the rules of the A2C-SMCP protocol against a Server, a Computer or an Agent, and prints for each rule whether it
passes, fails or does not apply.

  server    Connects to the Server at URL as Agents and Computers, in offices of its own.
  computer  Starts COMMAND, which must join the office of a Server that the kit plays, and host the MCP servers of a
            configuration file that the kit writes. COMMAND learns about them from environment variables, or from
            words in braces among its arguments: A2C_URL or {url}, A2C_OFFICE or {office}, A2C_KEY or {key}, A2C_NAME
            or {name}, A2C_CONFIG or {config}; A2C_UPLOADS or {uploads} and A2C_SKILLS or {skills} are folders.
  agent     Starts COMMAND, which reads orders and writes answers, one JSON object per line; the kit plays the Server
            and a Computer. docs/reference/conformance.md describes the orders.

Options:
  --office NAME      the office, and the beginning of the names of all offices (default: conformance)
  --key KEY          an API key: for a Server, sent as x-api-key and auth.token; else the one that is admitted
  --line LINE        the line of the protocol, 0.1 to 0.5 (default: that of the peer)
  --only RULE        plays this rule only; may be repeated, and may end with '*'
  --timeout SECONDS  for each rule that does not bring its own (default: 15)
  --json             prints the results as JSON
  --list             lists the rules that are played, and plays none
  --help             prints this text

Exits with 0 if no rule fails, with 1 if one does, and with 2 if none could be played.
`;

/** What a run may use of its process. */
export interface World {
  print: (text: string) => void;
  complain: (text: string) => void;
  signal: AbortSignal;
}

/** A mistake of the user. */
class UsageError extends Error {}

/** Runs the command line and returns the exit code. */
export async function run(args: readonly string[], { print, complain, signal }: World): Promise<number> {
  try {
    const plan = parse(args);
    if (plan === 'help') {
      print(HELP);
      return 0;
    }
    const { json, list, rules, start, options } = plan;
    if (list) {
      print(rules.map(rule => `${rule}: ${requirements[rule].rule}\n`).join(''));
      return 0;
    }
    const onResult = (result: Result) => {
      if (!json) print(`${formatResult(result)}\n`);
    };
    const results = await start({ ...options, onResult, signal });
    print(json ? `${JSON.stringify(results, null, 2)}\n` : `\n${formatSummary(results)}\n`);
    return signal.aborted || results.some(({ outcome }) => outcome === 'fail') ? 1 : 0;
  } catch (error) {
    complain(`${error instanceof Error ? error.message : error}\n`);
    if (error instanceof UsageError) complain("'a2c-conformance --help' shows how it is used.\n");
    return 2;
  }
}

const targets = { server: serverChecks, computer: computerChecks, agent: agentChecks };

function parse(args: readonly string[]) {
  const end = args.indexOf('--');
  const [own, words] = end === -1 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const { values, positionals } = parseOptions(own);
  const [target, url, ...more] = positionals;
  if (values.help || args.length === 0) return 'help' as const;
  if (!isTarget(target)) throw new UsageError(`'${target ?? ''}' is none of server, computer and agent`);
  const line = lines.find(known => known === values.line);
  if (values.line !== undefined && line === undefined)
    throw new UsageError(`--line '${values.line}' is none of ${lines.join(', ')}`);
  const seconds = Number(values.timeout ?? 15);
  if (!(seconds > 0)) throw new UsageError(`--timeout '${values.timeout}' is not a number of seconds`);
  const { json, list, office, key, only } = values;
  const played = rulesOf<never>(targets[target]).map(([rule]) => rule);
  for (const pattern of only ?? [])
    if (!played.some(rule => isWanted(rule, [pattern])))
      throw new UsageError(
        `No rule '${pattern}' is played against ${target === 'agent' ? 'an' : 'a'} ${target}; --list shows all`,
      );
  const rules = played.filter(rule => isWanted(rule, only));
  if (!list) checkAddress(target, url, words, more);
  const given = { line, ...(office !== undefined && { office }), ...(key !== undefined && { key }) };
  const start = (options: PlayOptions) => play(target, { url: url ?? '', words }, { ...given, ...options });
  return { json, list, rules, start, options: { timeout: seconds * 1000, ...(only && { only }) } };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        office: { type: 'string' },
        key: { type: 'string' },
        line: { type: 'string' },
        only: { type: 'string', multiple: true },
        timeout: { type: 'string' },
        json: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function isTarget(word: string | undefined): word is keyof typeof targets {
  return word !== undefined && Object.hasOwn(targets, word);
}

function checkAddress(
  target: string,
  url: string | undefined,
  words: readonly string[],
  more: readonly string[],
): void {
  if (more.length > 0) throw new UsageError(`'${more.join(' ')}' is one argument too many`);
  if (target !== 'server') {
    if (words.length === 0) throw new UsageError(`Give the command that starts the ${target} after '--'`);
    if (url !== undefined) throw new UsageError(`'${url}' must come after '--', as part of the command`);
  } else if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError(`'${url ?? ''}' is not the URL of a Server, such as http://127.0.0.1:7000`);
  }
}

async function play(
  target: keyof typeof targets,
  { url, words }: { url: string; words: readonly string[] },
  options: PlayOptions & Parameters<typeof playServer>[1],
): Promise<Result[]> {
  if (target === 'server') return playServer(url, options);
  if (target === 'computer') return playComputer(computerCommand(words), options);
  await using connect = agentCommand(words);
  return await playAgent(connect, options);
}
