import { readdirSync, readFileSync } from 'node:fs';

/** Sends a signal to every process of a group. False when there is none. */
export function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
}

/** True if anything of a process group still runs. */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  return process.platform !== 'linux' || hasLivingMember(group);
}

/** Orphans that have ended stay in the table until the first process of the system reaps them; in containers, never. */
function hasLivingMember(group: number): boolean {
  try {
    return readdirSync('/proc').some(pid => /^\d+$/.test(pid) && isLivingMember(pid, group));
  } catch {
    return true;
  }
}

function isLivingMember(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name, which may contain anything: state, parent, group.
    const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(pgrp) === group && state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}
