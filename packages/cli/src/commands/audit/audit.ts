import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditLine, auditedCalls, verifyAudit } from '@a2c-smcp/computer';
import { defineCommand, type OptionSpecs, UsageError } from '../../command.ts';
import { Exit } from '../../failure.ts';
import { readNumber } from '../../options.ts';
import { jsonLine, prettyJson } from '../../output/json.ts';
import { briefLine, table } from '../../output/table.ts';
import { auditFolder } from '../computer/records.ts';
import { summaries } from '../summaries.ts';

const fileOption = {
  file: {
    type: 'string',
    short: 'f',
    value: 'FILE',
    env: 'A2C_AUDIT',
    summary: 'The audit file; by default the only one in ~/.config/a2c-smcp/audit',
  },
} as const satisfies OptionSpecs;

/** Characters of arguments in a table. */
const MAX_ARGUMENTS_LENGTH = 500;

/** `a2c audit verify` */
const verify = defineCommand({
  summary: 'Check that no line of an audit file was changed, added or removed.',
  options: { ...fileOption, json: { type: 'boolean', summary: 'Print JSON' } },
  async run({ options, env, print, note, style }) {
    const file = fileOf(options.file, env);
    const { lines, problems, startsAt } = await verifyAudit(file);
    if (options.json) print(prettyJson({ file, lines, problems, startsAt: startsAt ?? null }));
    else {
      for (const { file: part, line, problem } of problems) note(style.red(`${part}:${line} ${problem}`));
      const older = startsAt !== undefined && startsAt > 1 ? `; ${startsAt - 1} older ones were dropped` : '';
      if (problems.length === 0) print(`${lines} calls in ${file}, the chain is whole${older}`);
    }
    return problems.length === 0 ? Exit.ok : Exit.failed;
  },
});

/** `a2c audit` */
export const audit = defineCommand({
  summary: summaries.audit,
  options: {
    ...fileOption,
    agent: { type: 'string', value: 'NAME', summary: 'Only calls of this Agent' },
    server: { type: 'string', value: 'NAME', summary: 'Only calls of tools of this MCP server' },
    tool: { type: 'string', value: 'NAME', summary: 'Only calls of this tool' },
    outcome: {
      type: 'string',
      value: 'WORD',
      summary: 'Only calls that ended so: ok, failed, refused, cancelled, timed out',
    },
    since: {
      type: 'string',
      value: 'TIME',
      summary: 'Only calls from this time on, as in 2026-01-31 or 2026-01-31T12:00',
    },
    last: { type: 'string', short: 'n', value: 'N', default: '50', summary: 'At most this many, the newest' },
    json: { type: 'boolean', summary: 'Print each call as a line of JSON' },
  },
  subcommands: { verify },
  examples: ['a2c audit --outcome refused', 'a2c audit --agent assistant --since 2026-01-31', 'a2c audit verify'],
  async run({ options, env, print, note, style }) {
    const file = fileOf(options.file, env);
    const since = options.since === undefined ? undefined : timeOf(options.since);
    const last = readNumber('--last', options.last, { min: 1, max: 1_000_000 });
    const found: AuditLine[] = [];
    for await (const line of auditedCalls(file)) {
      const { agent, server, tool, outcome } = line;
      const isMeant = Object.entries({ agent, server, tool, outcome }).every(
        ([name, value]) => (options[name as 'agent' | 'server' | 'tool' | 'outcome'] ?? value) === value,
      );
      if (!isMeant || (since !== undefined && Date.parse(line.time) < since)) continue;
      found.push(line);
      if (found.length > 2 * last) found.splice(0, found.length - last);
    }
    const shown = found.slice(-last);
    if (options.json) for (const line of shown) print(jsonLine(line));
    else if (shown.length === 0) note(`No such call is in ${file}`);
    else for (const line of table(HEADER, shown.map(rowOf), { style, paint: paintOutcome(style) })) print(line);
  },
});

const HEADER = ['TIME', 'AGENT', 'TOOL', 'OUTCOME', 'DECIDED BY', 'SECONDS', 'ARGUMENTS'];

function rowOf({ time, agent, server, tool, outcome, code, decidedBy, duration, ...line }: AuditLine): string[] {
  return [
    time.slice(0, 19).replace('T', ' '),
    agent ?? '(here)',
    server === '' ? tool : `${server}/${tool}`,
    code === undefined ? outcome : `${outcome} ${code}`,
    decidedBy,
    duration.toFixed(duration < 10 ? 2 : 0),
    briefLine(line.arguments ?? `sum ${line.argumentsSum?.slice(0, 12) ?? ''}`, MAX_ARGUMENTS_LENGTH),
  ];
}

function paintOutcome(style: { red(text: string): string }) {
  return (cell: string, column: number) => (column === 3 && !cell.startsWith('ok') ? style.red(cell) : cell);
}

function timeOf(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new UsageError(`--since: '${text}' is no time: write it like 2026-01-31T12:00`);
  return time;
}

function fileOf(given: string | undefined, env: Record<string, string | undefined>): string {
  if (given !== undefined && given !== 'off') {
    if (!existsSync(given)) throw new UsageError(`There is no audit file '${given}'`);
    return given;
  }
  const folder = auditFolder(env);
  const files = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.jsonl')) : [];
  const [only, ...others] = files;
  if (only === undefined) throw new UsageError("No calls were recorded yet: 'a2c computer' records them");
  if (others.length > 0)
    throw new UsageError(
      `There are several: choose one of ${files.map(name => join(folder, name)).join(', ')} with --file`,
    );
  return join(folder, only);
}
