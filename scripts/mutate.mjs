// Breaks the rules of the register one by one, each by a patch of `tests/conformance/mutants`, in a copy of the
// repository, and runs the tests that cite the rule. A rule whose tests all pass nevertheless is not tested.

import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const HELP = `Usage: npm run mutate -- [RULE...] [options]

Shows that the tests that cite a rule of packages/conformance/src/rules fail when the rule is broken. Without RULE all
mutants run. RULE may end with '*'. Exits with 1 when a mutant survives, no longer applies or was not run in time.
A mutant is a patch, tests/conformance/mutants/PACKAGE/RULE.patch, with its effect in the first line.

  --jobs NUMBER      mutants at the same time (default: half of the cores)
  --minutes NUMBER   end after this time (default: 90)
  --list             only list the mutants and the rules without one
  --help             show this text
`;

const MUTANT_TIMEOUT_MS = 120_000;
const root = fileURLToPath(new URL('..', import.meta.url));
const print = line => process.stdout.write(`${line}\n`);

/** The processes of tests that run, which end with this one. */
const running = new Set();
/** The copies of the repository, which are deleted at the end. */
const copies = [];
process.on('exit', () => {
  for (const pid of running) endGroup(pid);
  for (const copy of copies) fs.rmSync(copy, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

process.exitCode = await main();

async function main() {
  const { values, positionals: wanted } = parseArgs({
    allowPositionals: true,
    options: {
      jobs: { type: 'string', default: String(Math.max(1, availableParallelism() >> 1)) },
      minutes: { type: 'string', default: '90' },
      list: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    print(HELP);
    return 0;
  }
  const { requirements, readMutants, applyMutant, citations } = await loadRegister();
  const all = readMutants(join(root, 'tests/conformance/mutants'));
  const rules = Object.keys(requirements);
  const unknown = wanted.filter(pattern => !rules.some(rule => isMatch(rule, pattern)));
  if (unknown.length > 0) {
    print(`The register has no rule '${unknown.join("', '")}'`);
    return 1;
  }
  const isWanted = rule => wanted.length === 0 || wanted.some(pattern => isMatch(rule, pattern));
  const mutants = all.filter(({ rule }) => isWanted(rule));
  if (values.list) for (const mutant of mutants) print(describe(mutant));
  const outcomes = values.list ? [] : await runAll(mutants, { applyMutant, citations, ...values });
  const without = rules.filter(rule => isWanted(rule) && !all.some(mutant => mutant.rule === rule));
  if (without.length > 0) print(`\n${without.length} of ${rules.length} rules have no mutant: ${without.join(', ')}`);
  const count = outcome => outcomes.filter(each => each === outcome).length;
  const failed = outcomes.length - count('killed');
  if (!values.list) print(`\n${count('killed')} killed, ${failed} not (${count('SURVIVED')} survived)`);
  return failed === 0 ? 0 : 1;
}

/** The register, the mutants and how rules are cited, from TypeScript, which Node 20 does not read. */
async function loadRegister() {
  const modules = ['../../packages/conformance/src/rules', './mutants', './citations'];
  const entry = modules.map(path => `export * from '${path}.ts';`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: join(root, 'tests/conformance') },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

function describe({ path, breaks }) {
  return `${path}: ${breaks}`;
}

function isMatch(rule, pattern) {
  return pattern.endsWith('*') ? rule.startsWith(pattern.slice(0, -1)) : rule === pattern;
}

/** The outcome of each mutant. The tests that cite the rules must pass before anything is broken. */
async function runAll(mutants, { applyMutant, citations, jobs, minutes }) {
  const deadline = Date.now() + Number(minutes) * 60_000;
  const files = testsByRule(citations);
  const rules = [...new Set(mutants.map(({ rule }) => rule))];
  const folders = Array.from({ length: Math.min(Number(jobs), mutants.length) }, copyRepository);
  if (folders.length === 0) return [];
  const sound = await runTests(folders[0], rules, files, deadline - Date.now());
  if (sound !== 'passed') {
    print(`The tests do not pass without a mutant: ${sound}`);
    return mutants.map(() => 'not run');
  }
  const tryMutant = async (folder, mutant) => {
    const path = join(folder, mutant.file);
    const text = fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : '';
    const broken = applyMutant(mutant, text);
    if (broken === undefined) return 'OUTDATED';
    fs.writeFileSync(path, broken);
    try {
      const outcome = await runTests(folder, [mutant.rule], files, MUTANT_TIMEOUT_MS);
      return { passed: 'SURVIVED', failed: 'killed', timeout: 'killed' }[outcome] ?? 'BROKEN';
    } finally {
      fs.writeFileSync(path, text);
    }
  };
  const outcomes = [];
  const queue = mutants.values();
  await Promise.all(
    folders.map(async folder => {
      for (const mutant of queue) {
        const outcome = Date.now() < deadline ? await tryMutant(folder, mutant) : 'not run';
        outcomes.push(outcome);
        print(`${outcome.padEnd(10)} ${describe(mutant)}`);
      }
    }),
  );
  return outcomes;
}

/** The test files that cite each rule. */
function testsByRule(citations) {
  const files = new Map();
  for (const name of fs.readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.test.ts')) continue;
    const path = join('tests', name);
    for (const rule of citations(fs.readFileSync(join(root, path), 'utf8'))) {
      files.set(rule, (files.get(rule) ?? new Set()).add(path));
    }
  }
  return files;
}

/** Runs the tests that cite the rules: 'passed', 'failed', 'timeout', or what else is wrong. */
async function runTests(folder, rules, files, timeout) {
  const cited = [...new Set(rules.flatMap(rule => [...(files.get(rule) ?? [])]))];
  if (cited.length === 0) return 'no test cites it';
  const names = rules.map(rule => rule.replaceAll('.', '\\.')).join('|');
  const report = join(folder, 'mutate.json');
  fs.rmSync(report, { force: true });
  const output = ['--reporter=json', `--outputFile=${report}`];
  const args = ['run', ...cited, '-t', `(^|\\s)(${names}): `, '--maxWorkers=2', ...output];
  // A test that is repeated until it passes would hide a rule that is broken now and then.
  const strict = rules.length === 1 ? ['--retry=0', '--bail=1'] : [];
  const isDone = await run(folder, ['node_modules/vitest/vitest.mjs', ...args, ...strict], timeout);
  if (!isDone) return 'timeout';
  if (!fs.existsSync(report)) return 'the tests did not start';
  const { numFailedTests, numPassedTests, testResults } = JSON.parse(fs.readFileSync(report, 'utf8'));
  const broken = testResults.find(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  if (broken) return `${relative(folder, broken.name)} cannot be loaded: ${broken.message}`;
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed');
  if (numFailedTests > 0) return rules.length === 1 ? 'failed' : failed.map(({ fullName }) => fullName).join('\n');
  return numPassedTests > 0 ? 'passed' : 'no test has its name';
}

/** Runs Node in a folder. Resolves with false when it takes too long. */
function run(cwd, args, timeout) {
  const child = spawn(process.execPath, args, { cwd, stdio: 'ignore', detached: true });
  running.add(child.pid);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => endGroup(child.pid) || resolve(false), timeout);
    child.on('error', reject).on('exit', () => {
      clearTimeout(timer);
      running.delete(child.pid);
      // Processes that tests have started and a mutant does not end.
      endGroup(child.pid);
      resolve(true);
    });
  });
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** A copy that shares the installed packages, but none of ours. Times are kept, so that it needs no new build. */
function copyRepository() {
  const copy = fs.mkdtempSync(join(tmpdir(), 'a2c-mutate-'));
  copies.push(copy);
  const filter = source => !['.git', 'node_modules'].includes(relative(root, source).split('/').at(-1));
  fs.cpSync(root, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, filter });
  linkModules('node_modules', copy);
  for (const name of fs.readdirSync(join(root, 'packages'))) linkModules(join('packages', name, 'node_modules'), copy);
  return copy;
}

function linkModules(folder, copy) {
  if (!fs.existsSync(join(root, folder))) return;
  fs.mkdirSync(join(copy, folder));
  for (const entry of fs.readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(join(root, path)), join(copy, path));
    else if (entry.name === '@a2c-smcp') linkModules(path, copy);
    else if (!entry.name.startsWith('.')) fs.symlinkSync(join(root, path), join(copy, path));
  }
}
