import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { markdownFiles } from '../markdown.ts';
import { root } from '../packages.ts';
import { a2c } from './a2c.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...['docs', 'packages', 'examples'].flatMap(markdownFiles),
];

/** Options in the texts that are not of `a2c`: of other programs, of the Python command, and of examples. */
const foreignOptions = [
  ...['--packages', '--main-fields', '--external', '--heap-growing-percent', '--expose-gc', '--api-key', '--pat'],
  ...['--inputs', '--headers', '--namespace', '--no-auto-connect', '--no-auto-reconnect', '--computer-factory'],
  '--no-color',
];

test('every command line in the documents is one that a2c understands', async () => {
  const shown = pages.flatMap(page => commandsOf(page).map(words => ({ page, words })));
  expect(shown.length).toBeGreaterThan(100);
  const refused = await Promise.all(
    shown.map(async ({ page, words }) => {
      // Help is printed after the words were parsed, and nothing runs.
      const end = words.includes('--') ? words.indexOf('--') : words.length;
      const { code, err } = await a2c(words.toSpliced(end, 0, '--help'));
      return code === 0 ? [] : [`${page}: a2c ${words.join(' ')}: ${err}`];
    }),
  );
  expect(refused.flat()).toEqual([]);
});

test('every option that the documents name exists', async () => {
  const others = ['packages/documents/src/main.ts', 'packages/conformance/src/args.ts'];
  const ofOthers = others.flatMap(file => read(file).match(/--[a-z][a-z-]*/g) ?? []);
  const known = new Set([...foreignOptions, ...ofOthers, ...(await knownOptions())]);
  const unknown = pages.flatMap(page =>
    [...read(page).matchAll(/`(--[a-z][a-z-]*)/g)]
      .filter(([, option = '']) => !known.has(option))
      .map(([, option]) => `${page}: ${option}`),
  );
  expect([...new Set(unknown)]).toEqual([]);
});

function read(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

/** The words of every command in the blocks of a page, and in the code of its sentences. */
function commandsOf(page: string): string[][] {
  const spans = [
    ...read(page)
      .replaceAll(/^```.*?^```/gms, '')
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, code = '']) => code);
  return [...blocksOf(page), ...spans.flatMap(commandsIn)];
}

/** The words of every command in the shell blocks of a page. */
function blocksOf(page: string): string[][] {
  return [...read(page).matchAll(/^```(?:sh|bash)\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    block.replaceAll('\\\n', ' ').split('\n').flatMap(commandsIn),
  );
}

/** Commands at the start of a line, after `sudo`, variables, `npx` or a path, and those in `$(…)`. */
function commandsIn(line: string): string[][] {
  const starts = line.matchAll(/(?:^(?:sudo )?(?:[A-Z_0-9]+=\S+ )*(?:npx (?:-y )?)?(?:\S+\/)?|\$\()a2c(?= |$)/g);
  return [...starts].map(match => wordsOf(line.slice(match.index + match[0].length)));
}

/** The words up to the end of a command, an ellipsis or a comment. Placeholders are words like all others. */
function wordsOf(text: string): string[] {
  const [command = ''] = /^(?:'[^']*'|"[^"]*"|[^'"#|)…]|(?<=\w)[|])*/.exec(text) ?? [];
  const words = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map(word => word.replaceAll(/['"[\]]/g, ''));
}

/** The options of all commands, from their help. */
async function knownOptions(words: string[] = []): Promise<string[]> {
  const { out } = await a2c([...words, '--help']);
  const commands = [...out.matchAll(/^ {2}([a-z][a-z-]*) {2,}/gm)].map(([, name = '']) => name);
  const inner = await Promise.all(commands.map(name => knownOptions([...words, name])));
  return [...(out.match(/--[a-z][a-z-]*/g) ?? []), ...inner.flat()];
}
