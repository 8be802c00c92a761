import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { OptionSpecs } from '../../command.ts';

type Env = Record<string, string | undefined>;

/** The folder of what `a2c` keeps for its user. */
export function userFolder(env: Env): string {
  return join(env.HOME ?? homedir(), '.config', 'a2c-smcp');
}

/** The configuration file of a user who names none. */
export function userConfigFile(env: Env): string {
  return join(userFolder(env), 'mcp.json');
}

/** The file that is given or, if there is one, that of the user. */
export function configFileOf(given: string | undefined, env: Env): string | undefined {
  // A process without a home has no user.
  if (given !== undefined || (env.HOME ?? env.USERPROFILE) === undefined) return given;
  const file = userConfigFile(env);
  return existsSync(file) ? file : undefined;
}

/** The option for the configuration file that a command changes. */
export const changedFileOption = {
  config: {
    type: 'string',
    short: 'c',
    value: 'FILE',
    env: 'A2C_CONFIG',
    summary: 'The file to change; by default ~/.config/a2c-smcp/mcp.json, which a2c computer reads',
  },
} as const satisfies OptionSpecs;
