import { version } from 'node:process';
import { type Finding, ok, problem } from './finding.ts';

/** The oldest Node that everything here is tested on. */
const OLDEST = [20, 19] as const;

/** Checks the Node that runs this. */
export function checkNode(running = version): Finding {
  const [major = 0, minor = 0] = running.replace('v', '').split('.').map(Number);
  const isRecent = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  if (isRecent) return ok('node', `Node ${running}`);
  return problem('node-old', `Node ${running} is too old`, `Install Node ${OLDEST.join('.')} or later`);
}
