import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Converter, ReflectionKind } from 'typedoc';
import { MarkdownPageEvent } from 'typedoc-plugin-markdown';

/** Packages that programs import. `core` is internal, `cli` is a command. */
const packages = readdirSync('../packages').filter(name => !['cli', 'core'].includes(name));

/** The exports of a package by what a program imports, such as `agent/openai` with `agent/src/models/openai.ts`. */
function exportsOf(name) {
  const { exports } = JSON.parse(readFileSync(`../packages/${name}/package.json`, 'utf8'));
  const entries = Object.entries(exports).filter(([, target]) => target['@a2c-smcp/source'] !== undefined);
  return entries.map(([path, target]) => [join(name, path), join(name, target['@a2c-smcp/source'])]);
}

const modules = packages.flatMap(exportsOf);

/** Names modules by what a program imports; TypeDoc names them by their files. */
function rename({ converter }) {
  const names = new Map(modules.map(([name, source]) => [source.replace(/(\/index)?\.ts$/, ''), name]));
  converter.on(Converter.EVENT_CREATE_DECLARATION, (_, reflection) => {
    if (reflection.kindOf(ReflectionKind.Module)) reflection.name = names.get(reflection.name) ?? reflection.name;
  });
  // A destructured parameter has no name in the source.
  converter.on(Converter.EVENT_CREATE_PARAMETER, (_, reflection) => {
    if (reflection.name === '__namedParameters') reflection.name = 'parameters';
  });
}

/** Puts the README of a package before its API. Its links lead into the repository, here to the pages of the site. */
function introduce({ renderer }) {
  renderer.on(MarkdownPageEvent.END, page => {
    const name = page.url.replace(/\.md$/, '');
    if (!packages.includes(name)) return;
    const readme = readFileSync(`../packages/${name}/README.md`, 'utf8')
      .replaceAll(/\]\((?!#|[a-z]+:)([^)]+)\)/g, (_, link) => `](${fromHere(join('packages', name, link))})`)
      .replaceAll(
        /\]\([^)]+\/a2c-smcp-typescript\/(?:blob|tree)\/main\/([^)]+)\)/g,
        (_, path) => `](${fromHere(path)})`,
      );
    page.contents = readme + page.contents.replace(/^# .*\n/, '');
  });
}

function fromHere(path) {
  return relative('docs/api', path);
}

/** @type {import('typedoc').TypeDocOptions & import('typedoc-plugin-markdown').PluginOptions} */
export default {
  tsconfig: 'tsconfig.json',
  entryPoints: modules.map(([, source]) => join('../packages', source)),
  plugin: ['typedoc-plugin-markdown', rename, introduce],
  name: 'Programming interface',
  out: 'api',
  router: 'module',
  readme: 'none',
  excludeInternal: true,
  excludePrivate: true,
  disableSources: true,
  // TypeScript 7 checks the types; version 6 reports errors that it does not.
  skipErrorChecking: true,
  treatWarningsAsErrors: true,
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  parametersFormat: 'table',
  classPropertiesFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  tableColumnSettings: { hideSources: true, hideOverrides: true, hideInherited: true, hideModifiers: true },
  pageTitleTemplates: { module: ({ name }) => `@a2c-smcp/${name}` },
};
