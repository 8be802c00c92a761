import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { World } from '../../command.ts';
import { Exit } from '../../failure.ts';
import type { ServicePlan, Step } from './plan.ts';

/** Writes the files of a service and starts it. A failure leaves nothing behind that was not there before. */
export async function install({ files, install: steps, uninstall: undo }: ServicePlan, world: World): Promise<void> {
  const added = files.map(({ path }) => path).filter(path => !existsSync(path));
  try {
    for (const { path, text, encoding, mode } of files) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text, { encoding, mode });
      // The mode above is for new files only.
      await chmod(path, mode);
    }
    await runSteps(steps, world);
  } catch (error) {
    const isNew = added.length === files.length;
    if (isNew) await runSteps(undo, world).catch(() => {});
    for (const path of added) await rm(path, { force: true });
    throw error;
  }
}

/** Stops a service and removes its files. Returns false when there is none. */
export async function uninstall({ files, uninstall: steps, cleanUp }: ServicePlan, world: World): Promise<boolean> {
  const [definition] = files;
  if (!definition || !existsSync(definition.path)) return false;
  await runSteps(steps, world);
  for (const { path } of files) await rm(path, { force: true });
  await runSteps(cleanUp, world);
  return true;
}

/** Runs a command line of the service manager and prints what it says, until it ends or the command is stopped. */
export async function show(words: readonly string[], world: World, missing?: string): Promise<number> {
  const [program = '', ...args] = words;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: world.env, windowsHide: true });
  const stop = () => child.kill();
  world.signal.addEventListener('abort', stop, { once: true });
  createInterface({ input: child.stdout }).on('line', world.print);
  createInterface({ input: child.stderr }).on('line', world.note);
  try {
    const [code] = await once(child, 'close').catch(throwMissing(program, missing));
    return code === 0 || world.signal.aborted ? Exit.ok : Exit.failed;
  } finally {
    world.signal.removeEventListener('abort', stop);
  }
}

async function runSteps(steps: readonly Step[], world: World): Promise<void> {
  for (const { words, mayFail, missing } of steps) {
    const said: string[] = [];
    const listen = (line: string) => void said.push(line);
    const code = await show(words, { ...world, print: listen, note: listen }, missing);
    world.signal.throwIfAborted();
    if (code === Exit.ok || mayFail) continue;
    const reason = said.filter(Boolean).slice(0, 3).join(' ') || 'it gives no reason';
    throw new Error(`'${words.join(' ')}' failed: ${reason}; --print shows the service without installing it`);
  }
}

function throwMissing(program: string, remedy?: string): (error: NodeJS.ErrnoException) => never {
  return error => {
    if (error.code !== 'ENOENT') throw error;
    if (remedy !== undefined) throw new Error(`This machine has no '${program}', which the service needs: ${remedy}`);
    const advice =
      "--print shows the service, and 'a2c computer --service' or 'a2c server' run in the foreground for yours";
    throw new Error(`This machine has no '${program}', so that its service manager is another one: ${advice}`);
  };
}
