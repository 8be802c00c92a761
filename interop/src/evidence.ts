import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defects } from './defects.ts';
import { interopFolder } from './paths.ts';
import { pythonEnvironment } from './peers/python-environment.ts';
import { rustEnvironment } from './peers/rust-environment.ts';
import { idOf, type Release } from './releases.ts';

const run = promisify(execFile);

/** A script that should show a defect of a release, and whether it did. */
export interface Evidence {
  script: string;
  release: string;
  shown: boolean;
}

/** Runs the scripts about a release: a defect that cannot be shown without our code is none of theirs. */
export async function checkEvidence(release: Release): Promise<Evidence[]> {
  const id = idOf(release);
  const scripts = defects.filter(({ kinds }) => kinds.includes(id)).map(({ evidence }) => evidence);
  const { home, commandOf } = await interpreter(release);
  const results: Evidence[] = [];
  for (const script of new Set(scripts)) {
    const [command, ...args] = commandOf(script);
    const options = { cwd: home, env: { ...process.env, HOME: home }, timeout: 120_000 };
    const shown = await run(command, args, options).then(
      () => true,
      () => false,
    );
    results.push({ script, release: id, shown });
  }
  return results;
}

interface Interpreter {
  home: string;
  commandOf(script: string): [command: string, ...args: string[]];
}

async function interpreter({ language, version }: Release): Promise<Interpreter> {
  if (language === 'rust') {
    const { home, program } = await rustEnvironment(version);
    return { home, commandOf: script => [program(script.replace(/\.rs$/, ''))] };
  }
  const { home, python } = await pythonEnvironment(version);
  return { home, commandOf: script => [python, join(interopFolder, 'defects', script)] };
}
