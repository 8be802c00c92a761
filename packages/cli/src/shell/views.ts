import type { ShellCommands } from './shell-command.ts';

/** The commands about what an Agent sees. */
export const viewCommands: ShellCommands = {};
