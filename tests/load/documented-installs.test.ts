import { execFile, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../computer/temporary.ts';
import { openRegistry } from '../registry.ts';
import { INSTALLS } from '../stories/not-run.ts';
import { stories } from '../stories/played.ts';

const LIMIT_MS = 600_000;
const run = promisify(execFile);
const commands = stories.flatMap(story => story.commands.map(({ text }) => text));
const installs = [...new Set(commands.filter(text => INSTALLS.test(text)))];
const hasRegistry = spawnSync('npm', ['view', 'zod', 'version']).status === 0;

test.skipIf(!hasRegistry)(
  'every npm install of the documents leaves what it names',
  { timeout: LIMIT_MS },
  async () => {
    await using registry = await openRegistry();
    expect(installs.length).toBeGreaterThan(10);
    for (const command of installs) {
      const words = command.split(/\s+/).slice(1);
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
      const settings = {
        registry: registry.url,
        prefix: folder,
        audit: 'false',
        fund: 'false',
        prefer_offline: 'true',
      };
      const env = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`npm_config_${name}`, value]));
      await run('npm', words, { cwd: folder, env: { ...process.env, ...env } });
      const modules = words.includes('--global') ? 'lib/node_modules' : 'node_modules';
      const names = words.slice(1).filter(word => !word.startsWith('--'));
      expect(
        names.filter(name => !existsSync(join(folder, modules, name, 'package.json'))),
        command,
      ).toEqual([]);
      if (words.includes('--global')) await runPrograms(join(folder, 'bin'), names);
      else for (const name of names) await run(process.execPath, ['-e', `import('${name}')`], { cwd: folder });
    }
  },
);

/** Runs the programs that global packages of ours have brought. */
async function runPrograms(folder: string, names: readonly string[]): Promise<void> {
  const programs: Record<string, string> = { 'a2c-smcp': 'a2c', '@a2c-smcp/documents': 'a2c-documents' };
  for (const name of names) {
    const { stdout } = await run(join(folder, programs[name] ?? name), ['--help']);
    expect(stdout, name).toContain('Usage');
  }
}
