import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownFiles } from '../markdown.ts';
import { root } from '../packages.ts';
import { commandsOf, parseCommand, type ShellCommand } from './shell.ts';

/** The pages whose commands are run. Those in Chinese have the same, see `docs-translation.test.ts`. */
export const pages = ['README.md', ...markdownFiles('docs'), ...markdownFiles('packages')].filter(
  page => !/^docs\/(zh|reports)\/|cli\/templates\//.test(page),
);

/** The values of placeholders in commands that are run, some of them with the word before or after it. */
const placeholders: Record<string, string> = {
  '--cert FILE': 'cert.pem',
  '--key-file FILE': 'key.pem',
  'URI before --save': 'dpe://local.documents/report.docx/elements/image-34stgrshel',
  'vrl FILE': 'script.vrl',
  'sign-in NAME': 'github',
  'sign-out NAME': 'github',
  CODE: '4005',
  DIR: 'folder',
  'id=value': 'zone=UTC',
  FILE: 'mcp.json',
  FOLDER: 'files',
  KEY: '$A2C_OPERATOR_KEY',
  NAME: 'desk',
  OFFICE: 'demo',
  TOOL: 'delete_file',
  URI: 'dpe://local.documents/report.docx/pages/0',
  URL: 'http://127.0.0.1:7000',
};

/** The text of the code blocks in one of these languages. */
export function blocksOf(page: string, ...languages: string[]): string[] {
  const blocks = [...readFileSync(join(root, page), 'utf8').matchAll(/^```(\w*)\n(.*?)^```/gms)];
  return blocks.flatMap(([, language = '', text = '']) => (languages.includes(language) ? [text] : []));
}

/** The pages that show commands, with these in their order. A sentence that repeats a command of any page adds none. */
export function storiesOf(paths: readonly string[]): { page: string; commands: ShellCommand[] }[] {
  const shown = paths.map(page => ({ page, found: shownOn(page) }));
  const seen = new Set(
    shown.flatMap(({ found }) => found.filter(({ span }) => !span).map(({ command }) => keyOf(command))),
  );
  return shown.map(({ page, found }) => {
    const isNew = ({ command, span }: Shown) => !span || (!seen.has(keyOf(command)) && seen.add(keyOf(command)));
    return { page, commands: found.filter(isNew).map(({ command }) => command) };
  });
}

interface Shown {
  command: ShellCommand;
  /** True if it is in a sentence, not in a block. */
  span: boolean;
}

function shownOn(page: string): Shown[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```(\w*)\n(.*?)^```|`([^`\n]+)`/gms)].flatMap(
    ([, language, block = '', span]): Shown[] => {
      if (span !== undefined) return inSentence(span).map(command => ({ command, span: true }));
      const isShell = language === 'sh' || language === 'bash';
      return (isShell ? commandsOf(block) : []).flatMap(withoutSynopsis).map(command => ({ command, span: false }));
    },
  );
}

function keyOf({ words }: ShellCommand): string {
  return words.filter(word => word !== 'npx').join(' ');
}

/** A name such as `a2c doctor` is not a command to run; one with an option, a file or a URL is. */
function inSentence(span: string): ShellCommand[] {
  if (
    !/^(?:[A-Z_0-9]+=\S+ )*(?:npm run |(?:npx |node |curl |a2c |a2c-\w+ ).*(?: --?\w| [A-Z]{3,}\b|[./:=]))/.test(span)
  )
    return [];
  const command = parseCommand(span);
  return command ? withoutSynopsis(command) : [];
}

/** Optional parts are left out, and placeholders become what they stand for. */
function withoutSynopsis(command: ShellCommand): ShellCommand[] {
  if (command.words.some(word => word === '…') || /^\[/.test(command.words[0] ?? '')) return [];
  let isOptional = false;
  const words = command.words.flatMap((word, index) => {
    isOptional ||= word.startsWith('[');
    const isLeftOut = isOptional;
    if (word.endsWith(']')) isOptional = false;
    const name = word.replace(/\.\.\.$/, '');
    const [before, after] = [command.words[index - 1], command.words[index + 1]];
    const named = placeholders[`${before} ${name}`] ?? placeholders[`${name} before ${after}`] ?? placeholders[name];
    return isLeftOut ? [] : [named ?? name];
  });
  return [{ ...command, words }];
}
