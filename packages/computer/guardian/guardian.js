// Ends the process groups of a Computer that could not do it itself. The Computer holds the other end of our standard
// input and names its groups on it, one per line: `+123` when one starts, `-123` when one is gone. The end of input
// means that the Computer is gone, by whatever death, and that its groups must go too.

import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';

const GRACE = 2000;
const groups = new Set();

// The guardian outlives what ends its Computer: only the end of input counts.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const lines = createInterface({ input: process.stdin });
lines.on('line', line => {
  const group = Number(line.slice(1));
  if (!Number.isInteger(group) || group <= 1) return;
  if (line.startsWith('+')) groups.add(group);
  else groups.delete(group);
});
lines.on('close', () => {
  signalAll('SIGTERM');
  const started = Date.now();
  const timer = setInterval(() => {
    if (Date.now() - started > GRACE) signalAll('SIGKILL');
    else if ([...groups].some(isAlive)) return;
    clearInterval(timer);
  }, 50);
});

function signalAll(signal) {
  for (const group of groups) {
    if (process.platform === 'win32') {
      spawnSync('taskkill', ['/pid', String(group), '/t', '/f'], { windowsHide: true });
    } else {
      try {
        process.kill(-group, signal);
      } catch {
        groups.delete(group);
      }
    }
  }
}

function isAlive(group) {
  try {
    process.kill(process.platform === 'win32' ? group : -group, 0);
    return true;
  } catch {
    return false;
  }
}
