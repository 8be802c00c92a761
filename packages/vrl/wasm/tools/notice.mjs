/** Writes NOTICE: the crates inside vrl.wasm, their licences and the texts of these. Needs cargo. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LICENCE_FILE = /^(licen[cs]e|copying|notice|unlicense)/i;

/** @param folder that of the crate @param target that of the module */
export function writeNotice(folder, target) {
  const cargo = (...words) =>
    execFileSync('cargo', words, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const { packages } = JSON.parse(cargo('metadata', '--locked', '--format-version', '1', '--filter-platform', target));
  const tree = cargo('tree', '--locked', '--target', target, '-e', 'normal', '--prefix', 'none', '--format', '{p}');
  const used = new Set(tree.split('\n').map(line => line.split(' ').slice(0, 2).join(' ')));
  const crates = packages
    .filter(({ name, version, source }) => source !== null && used.has(`${name} v${version}`))
    .toSorted((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
  writeFileSync(join(folder, '../NOTICE'), noticeOf(crates));
}

function noticeOf(crates) {
  const texts = new Map();
  for (const crate of crates) {
    for (const text of licenceTexts(crate)) {
      // Copies differ in line breaks and indentation only.
      const key = text.replaceAll(/\s+/g, ' ').trim();
      const { users } = texts.get(key) ?? { users: [] };
      texts.set(key, { text, users: [...users, `${crate.name} ${crate.version}`] });
    }
  }
  const mozilla = crates.filter(({ license }) => license?.includes('MPL'));
  return [
    'wasm/vrl.wasm is compiled from the crates below, each under its own licence.',
    '',
    'Under the Mozilla Public License 2.0 (https://mozilla.org/MPL/2.0/), unchanged, with the source code at:',
    ...mozilla.map(({ name, version }) => `- ${name} ${version}: ${addressOf({ name, version })}`),
    '',
    'All crates:',
    ...crates.map(crate => `- ${crate.name} ${crate.version}, ${crate.license}: ${addressOf(crate)}`),
    ...[...texts.values()].flatMap(({ text, users }) => ['', '-'.repeat(80), ...wrapped(users), '', text.trim()]),
    '',
  ].join('\n');
}

function addressOf({ name, version }) {
  return `https://crates.io/crates/${name}/${version}`;
}

function licenceTexts({ manifest_path, license }) {
  const folder = dirname(manifest_path);
  const files = readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map(({ name }) => name);
  // Where the authors leave the choice, ours is MIT: a short text with their copyright line.
  const chosen = files.filter(
    name => /mit/i.test(name) && /^[^()]*\bMIT\b[^()]*$/.test(license) && !/ AND /.test(license),
  );
  return (chosen.length > 0 ? chosen : files).map(name =>
    readFileSync(join(folder, name), 'utf8')
      .replaceAll('\r', '')
      .replaceAll(/[ \t]+$/gm, ''),
  );
}

function wrapped(users) {
  return users
    .join(', ')
    .match(/.{1,110}(?:, |$)/g)
    .map(line => line.trimEnd());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeNotice(fileURLToPath(new URL('..', import.meta.url)), 'wasm32-unknown-unknown');
}
