import type { Computer, ResourceProblem } from '@a2c-smcp/computer';
import { type AuditLine, auditedCalls } from '@a2c-smcp/computer';
import { HttpError } from '../http/respond.ts';
import type { OwnerDesk } from './desk.ts';
import type { AuditView, DesktopView, FinderView, InputRow, ServerDetails, ServerRow } from './types.ts';

const MAX_PROBLEMS = 200;
const MAX_AUDIT_LINES = 2000;

export function serverRows(computer: Computer, memory: ReadonlyMap<string, number>): ServerRow[] {
  const { servers } = computer.config;
  const offered = new Map<string | undefined, number>();
  for (const { bundle_id } of computer.tools) offered.set(bundle_id, (offered.get(bundle_id) ?? 0) + 1);
  return computer.status().map(({ instructions: _, stderr: __, ...status }) => {
    const listed = offered.get(servers[status.name]?.bundle_id ?? undefined) ?? 0;
    // Those of this process are in no configuration.
    return { ...status, offered: status.type === 'local' ? status.tools : listed, memory: memory.get(status.name) };
  });
}

export async function serverDetails({ computer, isSaved }: OwnerDesk, name: string): Promise<ServerDetails> {
  const row = serverRows(computer, await computer.memory()).find(server => server.name === name);
  if (!row) throw new HttpError(404, `There is no MCP server '${name}'`);
  const { instructions } = computer.status().find(server => server.name === name) ?? {};
  const config = computer.config.servers[name] ?? {};
  return { ...row, instructions, config, isSaved: isSaved?.(name) === true };
}

export async function desktopView(computer: Computer, size: number | undefined): Promise<DesktopView> {
  const problems: ResourceProblem[] = [];
  const windows = await computer.desktop({ size: size ?? null, onProblem: keepIn(problems, computer) });
  return { windows, problems };
}

export async function finderView(computer: Computer, query: URLSearchParams): Promise<FinderView> {
  const problems: ResourceProblem[] = [];
  const fileType = query.get('type');
  const page = await computer.finder({
    keywords: (query.get('keywords') ?? '').split(/\s+/).filter(word => word !== ''),
    ...(fileType ? { fileType } : {}),
    offset: numberIn(query, 'offset') ?? 0,
    limit: numberIn(query, 'limit') ?? 50,
    onProblem: keepIn(problems, computer),
  });
  return { ...page, problems };
}

function keepIn(problems: ResourceProblem[], computer: Computer): (problem: ResourceProblem) => void {
  return ({ fields, ...problem }) => {
    if (problems.length < MAX_PROBLEMS)
      problems.push({ ...problem, ...(fields ? { fields: shown(fields, computer) } : {}) });
  };
}

/** Errors have no JSON of their own, and may have secrets in their message. */
function shown(fields: Record<string, unknown>, computer: Computer): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    value instanceof Error ? computer.redact(value.message) : value,
  ]);
  return Object.fromEntries(entries);
}

/** Which inputs there are, and where their values come from; never the values. */
export function inputRows(computer: Computer): Promise<InputRow[]> {
  const rows = computer.inputs.map(async (input): Promise<InputRow> => {
    const sources = await computer.inputSources(input.id);
    const options = 'options' in input && Array.isArray(input.options) ? input.options : undefined;
    return {
      id: input.id,
      type: input.type,
      description: input.description ?? '',
      isPassword: 'password' in input && input.password === true,
      options: options?.map(option => (typeof option === 'string' ? { value: option, label: option } : option)),
      sources: sources.map(source => (source.from === 'environment' ? `$${source.variable}` : source.from)),
    };
  });
  return Promise.all(rows);
}

/** The newest lines of the audit file that match, newest first. */
export async function auditView(file: string | undefined, query: URLSearchParams): Promise<AuditView> {
  if (file === undefined) return { file, lines: [] };
  const wanted = (query.get('search') ?? '').toLowerCase();
  const outcome = query.get('outcome') ?? '';
  const found: AuditLine[] = [];
  const isMeant = (line: AuditLine) =>
    (outcome === '' || line.outcome === outcome) &&
    (wanted === '' || `${line.agent} ${line.server} ${line.tool} ${line.arguments}`.toLowerCase().includes(wanted));
  for await (const line of auditedCalls(file)) {
    if (isMeant(line)) found.push(line);
    if (found.length > 2 * MAX_AUDIT_LINES) found.splice(0, MAX_AUDIT_LINES);
  }
  return { file, lines: found.slice(-MAX_AUDIT_LINES).reverse() };
}

/** Undefined when it is not given. */
export function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new HttpError(400, `'${name}' must be a whole number, 0 or more`);
  return value;
}
