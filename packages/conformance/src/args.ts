import { parseArgs } from 'node:util';
import { type Line, lines } from './line.ts';

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

const options = {
  office: { type: 'string' },
  key: { type: 'string' },
  line: { type: 'string' },
  only: { type: 'string', multiple: true },
  timeout: { type: 'string' },
  json: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

export type TargetName = 'server' | 'computer' | 'agent';

/** The parsed command line. */
export interface CommandLine {
  target: TargetName;
  /** Of a Server. */
  url: string;
  /** Of a Computer or an Agent. */
  command: string[];
  json: boolean;
  list: boolean;
  /** Given to whatever plays the rules. */
  options: { office?: string; key?: string; line?: Line; only?: string[]; timeout?: number };
}

/** A mistake of the user. */
export class UsageError extends Error {}

export function parseCommandLine(args: readonly string[]): CommandLine | 'help' {
  const end = args.indexOf('--');
  const [own, command] = end === -1 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const { values, positionals } = parseOptions(own);
  if (values.help || args.length === 0) return 'help';
  const [target, url = '', ...more] = positionals;
  if (!isTarget(target)) throw new UsageError(`'${target ?? ''}' is none of server, computer and agent`);
  if (more.length > 0) throw new UsageError(`'${more.join(' ')}' is one argument too many`);
  const { json, list, office, key, only } = values;
  if (!list) checkPeer({ target, url, command });
  const [line, timeout] = [readLine(values.line), readTimeout(values.timeout)];
  const given = { ...(office && { office }), ...(key && { key }), ...(line && { line }) };
  return {
    target,
    url,
    command,
    json,
    list,
    options: { ...given, ...(only && { only }), ...(timeout && { timeout }) },
  };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function isTarget(word: string | undefined): word is TargetName {
  return word === 'server' || word === 'computer' || word === 'agent';
}

function checkPeer({ target, url, command }: Pick<CommandLine, 'target' | 'url' | 'command'>): void {
  if (target === 'server') {
    const isUrl = /^https?:\/\//.test(url) && URL.canParse(url);
    if (!isUrl) throw new UsageError(`'${url}' is not the URL of a Server, such as http://127.0.0.1:7000`);
    return;
  }
  if (command.length === 0) throw new UsageError(`Give the command that starts the ${target} after '--'`);
  if (url !== '') throw new UsageError(`'${url}' must come after '--', as part of the command`);
}

function readLine(text: string | undefined): Line | undefined {
  const line = lines.find(known => known === text);
  if (text !== undefined && line === undefined) throw new UsageError(`--line '${text}' is none of ${lines.join(', ')}`);
  return line;
}

/** Milliseconds. */
function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 3600))
    throw new UsageError(`--timeout '${text}' is not a number of seconds up to 3600`);
  return seconds * 1000;
}
