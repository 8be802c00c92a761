import type { Command, CommandGroup, OptionSpec } from '../../command.ts';

/** A word that may come next. */
export interface Candidate {
  word: string;
  summary: string;
}

export interface Completion {
  candidates: Candidate[];
  /** True if the name of a file may come next. */
  takesFile: boolean;
}

const NOTHING: Completion = { candidates: [], takesFile: false };

/** The candidates for the last of the words after `a2c`, which may be empty. */
export async function complete(group: CommandGroup, words: readonly string[]): Promise<Completion> {
  const [word = '', ...rest] = words;
  if (rest.length === 0) return { candidates: subcommands(group, word), takesFile: false };
  const isHelp = word === 'help' && !Object.hasOwn(group.commands, word);
  if (isHelp) return complete(group, rest);
  const known = Object.hasOwn(group.commands, word) ? group.commands[word] : undefined;
  if (!known) return NOTHING;
  const found = 'load' in known ? await known.load() : known;
  if ('commands' in found) return complete(found, rest);
  const { summary, subcommands: further } = found;
  if (!further) return completeCommand(found, rest);
  const [first = ''] = rest;
  const nested = { summary, commands: further };
  if (rest.length > 1 && Object.hasOwn(further, first)) return complete(nested, rest);
  const { candidates, takesFile } = completeCommand(found, rest);
  const commands = rest.length === 1 && !first.startsWith('-') ? subcommands(nested, first) : [];
  return { candidates: [...commands, ...candidates], takesFile };
}

function subcommands({ commands }: CommandGroup, start: string): Candidate[] {
  const matching = Object.entries(commands).filter(([word]) => word.startsWith(start));
  return matching.map(([word, { summary }]) => ({ word, summary }));
}

function completeCommand({ options, args = '' }: Command, words: readonly string[]): Completion {
  const last = words.at(-1) ?? '';
  const earlier = words.slice(0, -1);
  if (earlier.includes('--')) return positional(args, last);
  const before = earlier.at(-1) ?? '';
  // bash splits a word at '='.
  const isSplit = before === '=' || last === '=';
  const owner = isSplit ? (earlier.at(before === '=' ? -2 : -1) ?? '') : before;
  const option = optionCalled(owner, options);
  if (option?.type === 'string') return valuesOf(option, last === '=' ? '' : last);
  const [, name = '', start = ''] = /^--([^=]+)=(.*)$/.exec(last) ?? [];
  const assigned = options[name];
  if (assigned?.type === 'string') {
    const { candidates, takesFile } = valuesOf(assigned, start);
    return { candidates: candidates.map(({ word, summary }) => ({ word: `--${name}=${word}`, summary })), takesFile };
  }
  if (!last.startsWith('-')) return positional(args, last);
  const unused = Object.entries(options).filter(([each, { multiple }]) => multiple || !earlier.includes(`--${each}`));
  const all = [...unused.map(([each, { summary }]) => ({ word: `--${each}`, summary })), HELP];
  return startingWith(last, all);
}

const HELP: Candidate = { word: '--help', summary: 'Show the options' };

function optionCalled(word: string, options: Command['options']): OptionSpec | undefined {
  if (word.startsWith('--')) return options[word.slice(2)];
  return /^-\w$/.test(word) ? Object.values(options).find(({ short }) => short === word[1]) : undefined;
}

/** The values of an option: its placeholder in `--help` has them with `|` between. */
function valuesOf({ value = '' }: OptionSpec, start: string): Completion {
  return { ...startingWith(start, choicesIn(value)), takesFile: isFile(value) };
}

function positional(args: string, start: string): Completion {
  return { ...startingWith(start, choicesIn(args)), takesFile: isFile(args) };
}

function choicesIn(placeholder: string): Candidate[] {
  const words = placeholder.split('|');
  const isChoice = words.length > 1 && words.every(word => /^[a-z][a-z0-9-]*$/.test(word));
  return isChoice ? words.map(word => ({ word, summary: '' })) : [];
}

function isFile(placeholder: string): boolean {
  return /\b(FILE|DIR|FOLDER|PATH)\b/.test(placeholder);
}

function startingWith(start: string, all: readonly Candidate[]): Completion {
  return { candidates: all.filter(({ word }) => word.startsWith(start)), takesFile: false };
}
