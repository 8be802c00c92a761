import { spawnSync } from 'node:child_process';
import { hasRedis } from '../cluster/redis.ts';
import { notRun } from './not-run.ts';
import { pages, storiesOf } from './pages.ts';
import type { ShellCommand } from './shell.ts';

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

/** All commands of the documents, by their pages. */
export const stories = storiesOf(pages);

/** Those that are run. */
export const played = stories
  .map(({ page, commands }) => ({ page, commands: commands.filter(isPlayed) }))
  .filter(({ commands }) => commands.length > 0);

function isPlayed({ text }: ShellCommand): boolean {
  if (notRun.some(({ command }) => command.test(text))) return false;
  return (hasRedis || !/redis:|sentinel:/.test(text)) && (hasKubectl || !text.startsWith('kubectl '));
}
