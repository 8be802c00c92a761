import type { OpenComputer } from '../stages/computer-stage.ts';
import { Command } from './command.ts';

/** Starts the user's command as the Computer under test. */
export function computerCommand(words: readonly string[]): OpenComputer {
  return async ({ url, key, name, office, fixture: { config, uploads, skills } }) =>
    new Command(words, { url, key, name, office, config, uploads, skills });
}
