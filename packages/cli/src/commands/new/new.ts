import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VERSION } from '@a2c-smcp/core';
import { defineCommand, UsageError } from '../../command.ts';
import { readChoice } from '../../options.ts';
import { summaries } from '../summaries.ts';

const KINDS = ['window-server', 'document-server', 'agent', 'skill'] as const;
type Kind = (typeof KINDS)[number];
const LANGUAGES = ['typescript', 'python'] as const;

const TEMPLATES = fileURLToPath(new URL('../../../templates', import.meta.url));
/** The Python counterpart of `@a2c-smcp/publish`. */
const PYTHON_PUBLISH = join(TEMPLATES, 'a2c_publish.py');

/** `a2c new` */
export const create = defineCommand({
  summary: summaries.new,
  args: `${KINDS.join('|')} DIR`,
  options: {
    language: {
      type: 'string',
      short: 'l',
      value: LANGUAGES.join('|'),
      default: 'typescript',
      summary: 'The language of an MCP server',
    },
  },
  examples: ['a2c new window-server my-windows', 'a2c new document-server my-documents --language python'],
  async run({ options, args, print }) {
    const [kind, folder, unexpected] = args;
    if (kind === undefined || folder === undefined)
      throw new UsageError(`What and where? Give ${KINDS.join('|')} and DIR`);
    if (unexpected !== undefined) throw new UsageError(`Unexpected '${unexpected}' after the folder`);
    const chosen = readChoice('KIND', kind, KINDS);
    const language = readChoice('--language', options.language, LANGUAGES);
    const template = join(TEMPLATES, chosen, chosen === 'skill' ? 'markdown' : language);
    if (!existsSync(template)) throw new UsageError(`There is no ${chosen} in ${language}: leave --language out`);
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      throw new UsageError(`'${folder}' is not empty: give a new folder`);
    }
    const name = nameOf(folder);
    if (chosen === 'skill' && name !== basename(resolve(folder))) {
      throw new UsageError(`The folder of a skill has its name, in lower-case letters, digits and -: use '${name}'`);
    }
    await mkdir(folder, { recursive: true });
    const files = readdirSync(template).map(file => join(template, file));
    for (const source of [...files, ...(language === 'python' && chosen !== 'skill' ? [PYTHON_PUBLISH] : [])]) {
      const text = await readFile(source, 'utf8');
      const path = join(folder, basename(source));
      await writeFile(path, text.replaceAll('NAME', name).replaceAll('VERSION', VERSION), { flag: 'wx' });
      print(`Wrote ${path}`);
    }
    print('');
    for (const line of nextSteps(chosen, language, { folder, name })) print(line);
  },
});

/** The folder as a name of a package, an Agent and a skill. */
function nameOf(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name || 'new';
}

function nextSteps(
  kind: Kind,
  language: (typeof LANGUAGES)[number],
  { folder, name }: { folder: string; name: string },
): string[] {
  const path = relative('.', folder) || '.';
  if (kind === 'skill') return [`Offer it to Agents:   a2c computer --skills ${join(path, '..')}`];
  if (kind === 'agent') return [`Run it:   cd ${path} && npm install && npm start`];
  const [install, run] =
    language === 'python'
      ? ['pip install "mcp>=2.3"', `python ${join(path, 'server.py')}`]
      : [`npm install --prefix ${path} && npm run build --prefix ${path}`, `node ${join(path, 'dist/server.js')}`];
  return [
    `Install:         ${install}`,
    `Check it:        a2c inspect -- ${run}`,
    `Offer it:        a2c add ${name} -- ${run.replace(path, resolve(folder))}`,
  ];
}
