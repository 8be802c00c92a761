import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defects } from './defects.ts';
import { interopFolder } from './paths.ts';
import { pythonEnvironment } from './peers/python-environment.ts';

const run = promisify(execFile);

/** A script that should show a defect of a release, and whether it did. */
export interface Evidence {
  script: string;
  release: string;
  shown: boolean;
}

/** Runs the scripts about a release: a defect that cannot be shown without our code is none of theirs. */
export async function checkEvidence(release: string): Promise<Evidence[]> {
  const scripts = defects.filter(({ kinds }) => kinds.includes(`python-${release}`)).map(({ evidence }) => evidence);
  const { python, home } = await pythonEnvironment(release);
  const results: Evidence[] = [];
  for (const script of new Set(scripts)) {
    const options = { cwd: home, env: { ...process.env, HOME: home }, timeout: 60_000 };
    const shown = await run(python, [join(interopFolder, 'defects', script)], options).then(
      () => true,
      () => false,
    );
    results.push({ script, release, shown });
  }
  return results;
}
