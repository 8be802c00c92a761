import type { Command, CommandGroup, OptionSpec } from './command.ts';
import type { Style } from './output/style.ts';
import { listing, textWidth, wrap } from './output/wrap.ts';

/** The text of `--help` for a command. */
export function commandHelp(name: string, command: Command, style: Style): string {
  const { summary, args, options, examples = [], subcommands = {} } = command;
  const further = commandRows(subcommands);
  const rows = Object.entries(options).map(([option, spec]) => [optionWord(option, spec), optionText(spec)] as const);
  const words = [name, Object.keys(options).length > 0 ? '[options]' : '', args ?? ''].filter(Boolean);
  return [
    ...wrap(summary, textWidth(style)),
    '',
    ...usage(words.join(' '), style),
    ...section('Options', listing([...rows, ['-h, --help', 'Show this']], innerWidth(style)), style),
    ...(further.length > 0 ? section('Commands', listing(further, innerWidth(style)), style) : []),
    ...(examples.length > 0 ? section('Examples', examples, style) : []),
  ].join('\n');
}

/** The text of `--help` for a group of commands. */
export function groupHelp(name: string, { summary, commands }: CommandGroup, style: Style): string {
  const rows = commandRows(commands);
  return [
    ...wrap(summary, textWidth(style)),
    '',
    ...usage(`${name} COMMAND [options]`, style),
    ...section('Commands', listing(rows, innerWidth(style)), style),
    '',
    ...wrap(`'${name} COMMAND --help' shows the options of one.`, textWidth(style)),
  ].join('\n');
}

/** Names and summaries. */
function commandRows(commands: CommandGroup['commands']): (readonly [string, string])[] {
  return Object.entries(commands).map(([name, { summary }]) => [name, summary] as const);
}

function usage(line: string, style: Style): string[] {
  const [first = '', ...rest] = wrap(line, textWidth(style) - 7);
  return [`${style.bold('Usage')}  ${first}`, ...rest.map(more => `         ${more}`)];
}

/** Columns inside a section. */
function innerWidth(style: Style): number {
  return textWidth(style) - 2;
}

function section(title: string, lines: readonly string[], style: Style): string[] {
  return ['', style.bold(title), ...lines.map(line => `  ${line}`)];
}

function optionWord(name: string, { short, value = 'VALUE', type, implied }: OptionSpec): string {
  const word = `${short ? `-${short}, ` : '    '}--${name}`;
  if (type === 'boolean') return word;
  return implied === undefined ? `${word} ${value}` : `${word} [${value}]`;
}

function optionText({ summary, default: standard, env, multiple }: OptionSpec): string {
  const facts = [
    multiple ? 'may be repeated' : '',
    standard === undefined || standard === '' ? '' : `default ${standard}`,
    env ?? '',
  ].filter(Boolean);
  return facts.length > 0 ? `${summary} (${facts.join('; ')})` : summary;
}
