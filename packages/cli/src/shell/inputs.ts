import { type MCPServerInput, parseComputerConfig } from '@a2c-smcp/protocol';
import { UsageError } from '../command.ts';
import { type ComputerHost, inputVariable } from '../computer/host.ts';
import { prettyJson } from '../output/json.ts';
import { oneLine, safeText, table } from '../output/table.ts';
import { readJsonOrFile, type ShellCommand, type ShellCommands, type ShellInvocation } from './shell-command.ts';

const addInputs: ShellCommand = {
  args: 'JSON|@FILE',
  summary: 'Define inputs, or define them anew',
  async run({ host, rest, print }) {
    const given = parseInputs(await readJsonOrFile('inputs', rest));
    const kept = definitions(host).filter(({ id }) => given.every(input => input.id !== id));
    host.computer.setInputs([...kept, ...given]);
    print(`${definitions(host).length} inputs`);
  },
};

const removeInput: ShellCommand = {
  args: 'ID',
  summary: 'Remove the definition of an input',
  complete: inputIds,
  async run({ host, args, print }) {
    const { id } = find(host, args);
    host.computer.setInputs(definitions(host).filter(input => input.id !== id));
    print(`Removed '${id}'`);
  },
};

/** The commands about inputs and their values. */
export const inputCommands: ShellCommands = {
  'inputs list': {
    summary: 'The inputs that configurations may refer to',
    async run({ host, print, style }) {
      const rows = definitions(host).map(({ id, type, description }) => [id, type, description]);
      for (const line of table(['ID', 'TYPE', 'DESCRIPTION'], rows, { style })) print(line);
    },
  },
  'inputs get': {
    args: 'ID',
    summary: 'The definition of an input, secrets hidden',
    complete: inputIds,
    async run({ host, args, print }) {
      const { id } = find(host, args);
      const shown = host.computer.config.inputs?.find(input => input.id === id);
      print(prettyJson(shown));
    },
  },
  'inputs add': addInputs,
  'inputs update': addInputs,
  'inputs load': {
    args: '@FILE',
    summary: 'Replace all definitions',
    async run({ host, rest, print }) {
      host.computer.setInputs(parseInputs(await readJsonOrFile('inputs load', rest)));
      print(`${definitions(host).length} inputs`);
    },
  },
  'inputs rm': removeInput,
  'inputs value list': {
    summary: 'Which inputs have a value, and from where; secrets stay hidden',
    async run({ host, print, style }) {
      const rows = await Promise.all(
        definitions(host).map(async input => [input.id, ...(await valueSource(host, input))]),
      );
      for (const line of table(['ID', 'FROM', 'VALUE'], rows, { style })) print(line);
    },
  },
  'inputs value get': {
    args: 'ID',
    summary: 'The value of one input',
    complete: inputIds,
    async run({ host, args, print }) {
      const [from, value] = await valueSource(host, find(host, args));
      print(`${oneLine(value)} (${from})`);
    },
  },
  'inputs value set': {
    args: 'ID [TEXT]',
    summary: 'Give an input a value; without TEXT it is asked for, unseen if it is secret',
    complete: inputIds,
    run: setValue,
  },
  'inputs value rm': {
    args: 'ID',
    summary: 'Forget the value of one input',
    complete: inputIds,
    async run({ host, args, print }) {
      const { id } = find(host, args);
      await host.computer.clearInput(id);
      print(`Forgot the value of '${id}'`);
    },
  },
  'inputs value clear': {
    args: '[ID]',
    summary: 'Forget the value of one input, or of all',
    complete: inputIds,
    async run({ host, args, print }) {
      await host.computer.clearInput(args.length > 0 ? find(host, args).id : undefined);
      print('Forgotten');
    },
  },
  render: {
    args: 'JSON|@FILE|TEXT',
    summary: 'Try placeholders: what ${input:id} and ${env:NAME} come to',
    async run({ host, rest, print }) {
      const text = /^[@[{"]/.test(rest) ? JSON.stringify(await readJsonOrFile('render', rest), null, 2) : rest;
      print(safeText(await renderPlaceholders(host, text)));
    },
  },
};

async function renderPlaceholders(host: ComputerHost, text: string): Promise<string> {
  const rendered = text.split(/(\$\{(?:input|env):[^}]+\})/).map(async part => {
    const [, kind, name = ''] = /^\$\{(input|env):([^}]+)\}$/.exec(part) ?? [];
    if (kind === 'env') return (Object.hasOwn(host.env, name) ? host.env[name] : undefined) ?? part;
    const input = kind === undefined ? undefined : definitions(host).find(({ id }) => id === name);
    return input ? (await valueSource(host, input))[1] : part;
  });
  return (await Promise.all(rendered)).join('');
}

async function setValue({ host, args, rest, print, terminal, signal }: ShellInvocation): Promise<void> {
  const input = find(host, args);
  if (input.type === 'command') throw new UsageError(`'${input.id}' is the output of a command and cannot be set`);
  const hidden = input.type === 'promptString' && input.password === true;
  const text = rest.slice(input.id.length).trim();
  const value = text !== '' ? text : await terminal?.ask(`Value of ${input.id}: `, { hidden, signal });
  if (value === undefined || value === '') throw new UsageError('No value was given');
  if (input.type === 'pickString' && !input.options.includes(value)) {
    throw new UsageError(`'${value}' is none of ${input.options.join(', ')}`);
  }
  await host.computer.setInput(input.id, value);
  print(`'${input.id}' has a value; MCP servers that waited for it start`);
}

function definitions({ computer }: ComputerHost): readonly MCPServerInput[] {
  return computer.inputs;
}

function inputIds(host: ComputerHost): string[] {
  return definitions(host).map(({ id }) => id);
}

function find(host: ComputerHost, [id]: readonly string[]): MCPServerInput {
  const found = definitions(host).find(input => input.id === id);
  if (found) return found;
  throw new UsageError(id === undefined ? "Which input? 'inputs list' shows them" : `There is no input '${id}'`);
}

/** Where the value of an input comes from, and the value if it may be seen. */
async function valueSource(
  { env, computer }: ComputerHost,
  input: MCPServerInput,
): Promise<[from: string, value: string]> {
  const isSecret = input.type === 'command' || (input.type === 'promptString' && input.password === true);
  const shown = (value: string) => (isSecret ? '(hidden)' : value);
  const variable = inputVariable(input.id);
  const inEnvironment = env[variable];
  if (inEnvironment !== undefined) return [variable, shown(inEnvironment)];
  if (input.type === 'command') return ['command', shown('')];
  const stored = await computer.storedInput(input.id);
  if (stored !== undefined) return ['store', shown(stored)];
  return input.default ? ['default', shown(input.default)] : ['', '(none)'];
}

/** One definition, a list of them, or a whole configuration with `inputs`. */
function parseInputs(data: unknown): MCPServerInput[] {
  const list = typeof data === 'object' && data !== null && 'inputs' in data ? data.inputs : data;
  return parseComputerConfig({ inputs: [list].flat(), servers: {} }).inputs;
}
