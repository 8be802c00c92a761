import { homedir } from 'node:os';
import { sep } from 'node:path';
import type { InputSource } from '@a2c-smcp/computer';
import { isObject } from '@a2c-smcp/core';
import {
  type MCPServerInput,
  type MCPServerPickStringInput,
  parseComputerConfig,
  pickOptions,
} from '@a2c-smcp/protocol';
import { UsageError } from '../../../command.ts';
import { prettyJson } from '../../../output/json.ts';
import { oneLine, safeText, table } from '../../../output/table.ts';
import type { ComputerSession } from '../session.ts';
import { readJsonOrFile, type ShellCommand, type ShellCommands, type ShellInvocation } from './shell-command.ts';

const addInputs: ShellCommand = {
  args: 'JSON|@FILE',
  summary: 'Define inputs, or replace their definitions',
  isPrivate: true,
  async run({ session, rest, print }) {
    const given = parseInputs(await readJsonOrFile('inputs', rest));
    const kept = session.computer.inputs.filter(({ id }) => given.every(input => input.id !== id));
    session.computer.setInputs([...kept, ...given]);
    print(countLine(session));
  },
};

const removeInput: ShellCommand = {
  args: 'ID',
  summary: 'Remove the definition of an input',
  complete: inputIds,
  async run({ session, args, print }) {
    const { id } = find(session, args);
    session.computer.setInputs(session.computer.inputs.filter(input => input.id !== id));
    print(`Removed '${id}'`);
  },
};

/** The commands about inputs and their values. */
export const inputCommands: ShellCommands = {
  'inputs list': {
    summary: 'The inputs that configurations may refer to',
    async run({ session, print, style }) {
      const rows = session.computer.inputs.map(({ id, type, description }) => [id, type, description]);
      for (const line of table(['ID', 'TYPE', 'DESCRIPTION'], rows, { style })) print(line);
    },
  },
  'inputs get': {
    args: 'ID',
    summary: 'The definition of an input, secrets hidden',
    complete: inputIds,
    async run({ session, args, print }) {
      const { id } = find(session, args);
      const shown = session.computer.config.inputs?.find(input => input.id === id);
      print(prettyJson(shown));
    },
  },
  'inputs add': addInputs,
  'inputs update': addInputs,
  'inputs load': {
    args: '@FILE',
    summary: 'Replace all definitions',
    async run({ session, rest, print }) {
      session.computer.setInputs(parseInputs(await readJsonOrFile('inputs load', rest)));
      print(countLine(session));
    },
  },
  'inputs rm': removeInput,
  'inputs value list': {
    summary: 'The source of each input, and its value unless it is secret',
    async run({ session, print, style }) {
      const rows = session.computer.inputs.map(async input => {
        const sources = await sourcesOf(session, input);
        return sources.map(({ from, shown }) => [input.id, from, shown]);
      });
      for (const line of table(['ID', 'FROM', 'VALUE'], (await Promise.all(rows)).flat(), { style })) print(line);
    },
  },
  'inputs value get': {
    args: 'ID',
    summary: 'The value of one input',
    complete: inputIds,
    async run({ session, args, print }) {
      for (const { from, shown } of await sourcesOf(session, find(session, args))) {
        print(from === '' ? shown : `${oneLine(shown)} (${from})`);
      }
    },
  },
  'inputs value set': {
    args: 'ID [TEXT]',
    summary: 'Give an input a value; without TEXT you are asked, without an echo if it is secret',
    isPrivate: true,
    complete: inputIds,
    run: setValue,
  },
  'inputs value rm': {
    args: 'ID',
    summary: 'Forget the value of one input',
    complete: inputIds,
    async run({ session, args, print }) {
      const { id } = find(session, args);
      await session.computer.clearInput(id);
      print(`Forgot the value of '${id}'`);
    },
  },
  'inputs value clear': {
    args: '[ID]',
    summary: 'Forget the value of one input, or of all',
    complete: inputIds,
    async run({ session, args, print }) {
      await session.computer.clearInput(args.length > 0 ? find(session, args).id : undefined);
      print('Forgotten');
    },
  },
  render: {
    args: 'JSON|@FILE|TEXT',
    summary: 'Try placeholders: what ${input:id} and ${env:NAME} come to',
    isPrivate: true,
    async run({ session, env, rest, print, note }) {
      const text = /^[@[{"]/.test(rest) ? JSON.stringify(await readJsonOrFile('render', rest), null, 2) : rest;
      print(safeText(await renderPlaceholders(text, { session, env })));
      for (const problem of unknownPlaceholders(text, { session, env })) note(problem);
    },
  },
};

function unknownPlaceholders(text: string, { session, env }: Pick<ShellInvocation, 'session' | 'env'>): string[] {
  const used = [...text.matchAll(/\$\{(input|env):([^}]+)\}/g)];
  return used.flatMap(([, kind, name = '']) => {
    if (kind === 'env') return Object.hasOwn(env, name) ? [] : [`The environment has no variable '${oneLine(name)}'`];
    return session.computer.inputs.some(({ id }) => id === name) ? [] : [`There is no input '${oneLine(name)}'`];
  });
}

async function renderPlaceholders(
  text: string,
  { session, env }: Pick<ShellInvocation, 'session' | 'env'>,
): Promise<string> {
  const places = new Map([
    ['${userHome}', homedir()],
    ['${pathSeparator}', sep],
  ]);
  const rendered = text.split(/(\$\{(?:(?:input|env):[^}]+|userHome|pathSeparator)\})/).map(async part => {
    const place = places.get(part);
    if (place !== undefined) return place;
    const [, kind, name = ''] = /^\$\{(input|env):([^}]+)\}$/.exec(part) ?? [];
    if (kind === 'env') return (Object.hasOwn(env, name) ? env[name] : undefined) ?? part;
    const input = kind === undefined ? undefined : session.computer.inputs.find(({ id }) => id === name);
    return input ? ((await sourcesOf(session, input))[0]?.shown ?? part) : part;
  });
  return (await Promise.all(rendered)).join('');
}

async function setValue({ session, args, rest, print, terminal, signal }: ShellInvocation): Promise<void> {
  const input = find(session, args);
  if (input.type === 'command') throw new UsageError(`'${input.id}' is the output of a command and cannot be set`);
  const hidden = input.type === 'promptString' && input.password === true;
  const text = rest.slice(input.id.length).trim();
  const given = text !== '' ? text : await terminal?.ask(`Value of ${input.id}: `, { hidden, signal });
  if (given === undefined || given === '') throw new UsageError('No value was given');
  await session.computer.setInput(input.id, input.type === 'pickString' ? pickValue(input, given) : given);
  for (const line of await effectOf(session, input.id)) print(line);
}

/** Describes the effect of a new value: none where another source wins; running MCP servers use it after a restart. */
async function effectOf({ computer }: ComputerSession, id: string): Promise<string[]> {
  const winners = (await computer.inputSources(id)).filter(({ from }) => from !== 'store').map(sourceName);
  if (winners.length > 0) return [`'${id}' is stored, but ${[...new Set(winners)].join(' and ')} wins over it`];
  const { servers } = computer.config;
  const running = computer.status().filter(({ state }) => state === 'ready');
  const former = running.filter(({ name }) => JSON.stringify(servers[name] ?? {}).includes(`\${input:${id}}`));
  return [
    `'${id}' has a value; MCP servers that lacked it start`,
    ...former.map(({ name }) => `'${name}' runs with the former value until 'start ${name}'`),
  ];
}

/** The value of the option that has this label or value. */
function pickValue(input: MCPServerPickStringInput, text: string): string {
  const options = pickOptions(input);
  const found = options.find(({ label }) => label === text) ?? options.find(({ value }) => value === text);
  if (found) return found.value;
  throw new UsageError(`'${text}' is none of ${options.map(({ label }) => label).join(', ')}`);
}

function countLine({ computer }: ComputerSession): string {
  return `${computer.inputs.length} inputs; the configuration file is not changed`;
}

function inputIds(session: ComputerSession): string[] {
  return session.computer.inputs.map(({ id }) => id);
}

function find(session: ComputerSession, [id]: readonly string[]): MCPServerInput {
  const found = session.computer.inputs.find(input => input.id === id);
  if (found) return found;
  throw new UsageError(id === undefined ? "Which input? 'inputs list' shows them" : `There is no input '${id}'`);
}

interface ShownSource {
  from: string;
  /** The value, or a remark in its place when it is secret, not known yet or missing. */
  shown: string;
}

/** The sources of the value of an input. There are several when MCP servers get different ones. */
async function sourcesOf({ computer }: ComputerSession, input: MCPServerInput): Promise<ShownSource[]> {
  const isSecret = input.type === 'command' || (input.type === 'promptString' && input.password === true);
  const sources = (await computer.inputSources(input.id)).map(source => ({
    from: sourceName(source),
    shown: source.from === 'none' ? '(none)' : isSecret || !('value' in source) ? '(hidden)' : source.value,
  }));
  return [...new Map(sources.map(source => [JSON.stringify(source), source])).values()];
}

function sourceName(source: InputSource): string {
  if (source.from === 'environment') return source.variable;
  if (source.from === 'options') return '--input';
  return source.from === 'none' ? '' : source.from;
}

/** Accepts one definition, a list of them, or a whole configuration with `inputs`. */
function parseInputs(data: unknown): MCPServerInput[] {
  const list = isObject(data) && 'inputs' in data ? data.inputs : data;
  return parseComputerConfig({ inputs: [list].flat(), servers: {} }).inputs;
}
