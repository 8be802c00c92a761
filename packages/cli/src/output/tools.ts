import { annotationsOf, toolMetaOf } from '@a2c-smcp/agent';
import type { SMCPTool } from '@a2c-smcp/protocol';
import { exampleWords, quoted } from './example-call.ts';
import { parametersOf } from './parameters.ts';
import { signatureOf } from './schema.ts';
import type { Style } from './style.ts';
import { briefLine, cut, safeText } from './table.ts';
import { listing, textWidth, wrap, wrapShort } from './wrap.ts';

/** Characters of a description and of a name, which a peer chooses. */
const MAX_DESCRIPTION_LENGTH = 20_000;
const MAX_NAME_LENGTH = 200;
/** Characters of a description in a list. */
const MAX_BRIEF_LENGTH = 400;
const MAX_BRIEF_LINES = 2;
/** Characters of JSON in a token, roughly, with the tokenizers of all large models. */
const CHARACTERS_PER_TOKEN = 4;

/** A tool as name, parameters and the first sentence of its description, for tables. */
export function toolRow(tool: SMCPTool): string[] {
  return [tool.name, signatureOf(tool.params_schema), warningOf(tool) + firstSentence(tool.description)];
}

/** Tools under the MCP server they belong to. `place` is the Computer. */
export function toolList(place: string, tools: readonly SMCPTool[], style: Style): string[] {
  const groups = groupBy(tools, serverOf);
  return [...groups].flatMap(([server, members], index) => [
    ...(index > 0 ? [''] : []),
    headingOf(place, server, members, style),
    ...members.flatMap(tool => entryOf(tool, style)),
  ]);
}

/** True if all words are in the name, the MCP server or the description of a tool. */
export function mentions(words: readonly string[]): (tool: SMCPTool) => boolean {
  const wanted = words.map(word => word.toLowerCase());
  return ({ name, description, bundle_id = '' }) => {
    const text = `${name} ${bundle_id} ${description}`.toLowerCase();
    return wanted.every(word => text.includes(word));
  };
}

/** Everything about one tool. `call` is the start of a command line that calls it. */
export function toolDetails(
  tool: SMCPTool,
  { place, call, style }: { place: string; call: string; style: Style },
): string[] {
  const width = textWidth(style);
  const title =
    typeof tool.title === 'string' && tool.title !== tool.name ? [briefLine(tool.title, MAX_NAME_LENGTH)] : [];
  const facts = [where(place, serverOf(tool)), ...title, ...traitsOf(tool), `about ${tokensText([tool])}`].join(' · ');
  const example = [call, quoted(nameOf(tool)), ...exampleWords(tool.params_schema)].join(' ');
  return [
    style.bold(style.cyan(nameOf(tool))),
    ...wrap(facts, width).map(line => style.dim(line)),
    ...section('', wrap(safeText(tool.description.slice(0, MAX_DESCRIPTION_LENGTH)).trim(), width)),
    ...section(style.bold('Parameters'), parameterLines(tool.params_schema, style)),
    ...section(style.bold('Returns'), tool.return_schema ? parameterLines(tool.return_schema, style) : []),
    ...section(style.bold('Example'), [`  ${example}`]),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.every(line => line === '')) return [];
  return ['', ...(title === '' ? [] : [title]), ...lines];
}

function nameOf({ name }: SMCPTool): string {
  return briefLine(name, MAX_NAME_LENGTH);
}

function headingOf(place: string, server: string, tools: readonly SMCPTool[], style: Style): string {
  return `${style.bold(where(place, server))}  ${style.dim(weightText(tools))}`;
}

/** A Computer and one of its MCP servers. */
export function where(place: string, server: string): string {
  return [place, server]
    .filter(Boolean)
    .map(name => briefLine(name, MAX_NAME_LENGTH))
    .join(' / ');
}

/** Computers of protocol 0.2 and earlier do not send it. */
function serverOf({ bundle_id = '' }: SMCPTool): string {
  return bundle_id;
}

function entryOf(tool: SMCPTool, style: Style): string[] {
  const signature = signatureOf(tool.params_schema);
  const entry = { name: tool.name, signature: signature === '-' ? '' : signature, description: tool.description };
  return entryLines({ ...entry, warning: warningOf(tool) }, style);
}

interface ListEntry {
  name: string;
  signature: string;
  description: string;
  warning?: string;
}

/** A tool or a prompt in a list: its name and parameters, and the start of its description. */
export function entryLines({ name, signature, description, warning = '' }: ListEntry, style: Style): string[] {
  const width = textWidth(style);
  const head = wrapShort(`${briefLine(name, MAX_NAME_LENGTH)} ${briefLine(signature, 1000)}`, width - 2, 2);
  const text = warning + briefLine(description, MAX_BRIEF_LENGTH);
  return [
    ...head.map((line, index) => (index === 0 ? `  ${paintName(line, style)}` : `    ${style.dim(line)}`)),
    ...(text === '' ? [] : wrapShort(text, width - 6, MAX_BRIEF_LINES).map(line => `      ${cut(line, width - 6)}`)),
  ];
}

function paintName(line: string, style: Style): string {
  const [name = '', ...parameters] = line.split(' ');
  return `${style.cyan(name)} ${style.dim(parameters.join(' '))}`.trimEnd();
}

function parameterLines(schema: SMCPTool['params_schema'], style: Style): string[] {
  const rows = parametersOf(schema).map(({ name, facts, description }) => {
    const text = safeText(description.slice(0, MAX_DESCRIPTION_LENGTH)).trim();
    return [briefLine(name, MAX_NAME_LENGTH), text === '' ? facts : `${facts}\n${text}`] as const;
  });
  return listing(rows, textWidth(style) - 2).map(line => `  ${line}`);
}

/** The notes of the Computer's owner and of the tool's author. */
function traitsOf(tool: SMCPTool): string[] {
  const { readOnlyHint, destructiveHint, idempotentHint } = annotationsOf(tool);
  const { auto_apply, tags } = toolMetaOf(tool);
  return [
    readOnlyHint === true ? 'read-only' : '',
    destructiveHint === true ? 'destructive' : '',
    idempotentHint === true ? 'idempotent' : '',
    auto_apply === true ? 'runs without confirmation' : 'the owner confirms each call',
    ...(tags ?? []).map(tag => `#${briefLine(tag, MAX_NAME_LENGTH)}`),
  ].filter(Boolean);
}

function warningOf(tool: SMCPTool): string {
  return annotationsOf(tool).destructiveHint === true ? '(destructive) ' : '';
}

/** The number of tools and an estimate of what they cost a model in each request. */
export function weightText(tools: readonly SMCPTool[]): string {
  return `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}, about ${tokensText(tools)}`;
}

function tokensText(tools: readonly SMCPTool[]): string {
  return `${tokensOf(tools).toLocaleString('en')} tokens`;
}

/** An estimate of what tools cost a model in each request. */
export function tokensOf(tools: readonly SMCPTool[]): number {
  const sizes = tools.map(({ name, description, params_schema }) => {
    return JSON.stringify({ name, description, input_schema: params_schema }).length;
  });
  return Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / CHARACTERS_PER_TOKEN);
}

function firstSentence(text: string): string {
  const line = briefLine(text, MAX_DESCRIPTION_LENGTH);
  return /^.*?[.!?](?= |$)/.exec(line)?.[0] ?? line;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
