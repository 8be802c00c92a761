import { join, resolve } from 'node:path';
import { type AuditOptions, type ComputerOptions, isRecording } from '@a2c-smcp/computer';
import type { OptionSpecs } from '../../command.ts';
import { readChoice } from '../../options.ts';
import { userFolder } from '../config/location.ts';

type Env = Record<string, string | undefined>;

const ARGUMENTS = ['text', 'sum'] as const;
const OFF = 'off';

/** The option for the file of pinned definitions. */
export const pinsOption = {
  pins: {
    type: 'string',
    value: 'FILE|off',
    env: 'A2C_PINS',
    summary:
      'Remembers the definitions of used tools, and asks again when one has changed; default ~/.config/a2c-smcp/pins.json',
  },
} as const satisfies OptionSpecs;

/** The option for the lines of the shell. */
export const historyOption = {
  history: {
    type: 'string',
    value: 'FILE|off',
    env: 'A2C_HISTORY',
    summary: 'Keeps the commands of the shell, without secrets; default ~/.config/a2c-smcp/history',
  },
} as const satisfies OptionSpecs;

/** The options for what a Computer keeps about tools and their calls. */
export const recordOptions = {
  ...pinsOption,
  audit: {
    type: 'string',
    value: 'FILE|off',
    env: 'A2C_AUDIT',
    summary: 'Records every tool call, for a2c audit; default ~/.config/a2c-smcp/audit/NAME.jsonl',
  },
  'audit-arguments': {
    type: 'string',
    value: ARGUMENTS.join('|'),
    default: 'text',
    env: 'A2C_AUDIT_ARGUMENTS',
    summary: 'Record arguments as text, secrets masked, or only their sum',
  },
} as const satisfies OptionSpecs;

export interface RecordValues {
  pins: string | undefined;
  audit: string | undefined;
  'audit-arguments': string;
}

/** The files that outlive a Computer. */
export type ComputerRecords = Pick<ComputerOptions, 'pins' | 'audit' | 'catalogFolder'>;

/** The files for pins and calls, and the folder for what lazy MCP servers list. Without a home folder only files that are given. */
export async function recordsOf(
  { pins, audit, 'audit-arguments': text }: RecordValues,
  name: string,
  env: Env,
): Promise<ComputerRecords> {
  const file = audit === undefined ? await defaultAudit(name, env) : audit === OFF ? undefined : resolve(audit);
  const kept: AuditOptions['arguments'] = readChoice('--audit-arguments', text, ARGUMENTS);
  const pinFile = pinFileOf(pins, env);
  return {
    pins: pins === OFF ? false : pinFile === undefined ? {} : { file: pinFile },
    ...(file === undefined ? {} : { audit: { file, arguments: kept } }),
    ...(hasHome(env) ? { catalogFolder: join(userFolder(env), 'catalogs') } : {}),
  };
}

/** The file of pinned definitions; undefined if there is none. */
export function pinFileOf(given: string | undefined, env: Env): string | undefined {
  return fileOf(given, 'pins.json', env);
}

/** The file of the shell's history; undefined if there is none. */
export function historyFileOf(given: string | undefined, env: Env): string | undefined {
  return fileOf(given, 'history', env);
}

function fileOf(given: string | undefined, name: string, env: Env): string | undefined {
  if (given !== undefined) return given === OFF ? undefined : resolve(given);
  return hasHome(env) ? join(userFolder(env), name) : undefined;
}

/** The folder of the audit files of this user. */
export function auditFolder(env: Env): string {
  return join(userFolder(env), 'audit');
}

/** One file per Computer; a second one of the same name gets a number. */
async function defaultAudit(name: string, env: Env): Promise<string | undefined> {
  if (!hasHome(env)) return undefined;
  const base = join(auditFolder(env), name.replaceAll(/[^\p{L}\p{N}._-]/gu, '_').slice(0, 100) || 'computer');
  for (let number = 1; ; number++) {
    const file = `${base}${number === 1 ? '' : `-${number}`}.jsonl`;
    if (!(await isRecording(file))) return file;
  }
}

function hasHome(env: Env): boolean {
  return (env.HOME ?? env.USERPROFILE) !== undefined;
}
