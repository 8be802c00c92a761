import type { Command, CommandGroup, OptionSpec } from './command.ts';
import type { Style } from './output/style.ts';
import { columns } from './output/table.ts';

/** The text of `--help` for a command. */
export function commandHelp(name: string, { summary, args, options, examples = [] }: Command, style: Style): string {
  const rows = Object.entries(options).map(([option, spec]) => [optionWord(option, spec), optionText(spec)]);
  const words = [name, Object.keys(options).length > 0 ? '[options]' : '', args ?? ''].filter(Boolean);
  return [
    summary,
    '',
    `${style.bold('Usage')}  ${words.join(' ')}`,
    ...section('Options', columns([...rows, ['-h, --help', 'Show this']]), style),
    ...(examples.length > 0 ? section('Examples', examples, style) : []),
  ].join('\n');
}

/** The text of `--help` for a group of commands. */
export async function groupHelp(name: string, { summary, commands }: CommandGroup, style: Style): Promise<string> {
  const rows = await Promise.all(
    Object.entries(commands).map(async ([name, command]) => {
      const { summary } = typeof command === 'function' ? await command() : command;
      return [name, summary];
    }),
  );
  return [
    summary,
    '',
    `${style.bold('Usage')}  ${name} COMMAND [options]`,
    ...section('Commands', columns(rows), style),
    '',
    `'${name} COMMAND --help' shows the options of one.`,
  ].join('\n');
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
