import type { AskSignIn, Computer, SignInQuestion } from '@a2c-smcp/computer';
import type { World } from '../../../command.ts';
import { explainFailure } from '../../../failure.ts';
import { briefLine, oneLine } from '../../../output/table.ts';
import type { Terminal } from '../../../output/terminal.ts';
import { outcomeOf } from './sign-in.ts';
import { isHeadless, walkThrough } from './walk-through.ts';

const REASONS: Record<SignInQuestion['problem'], string> = {
  required: 'wants you to sign in',
  expired: 'wants you to sign in again: what you granted has expired or was withdrawn',
  scope: 'wants you to sign in again: an Agent needs more than you granted',
  refused: 'refuses what you granted',
};

/**
 * Asks at the terminal whether to sign in now.
 *
 * @param computer resolves when it is open: it asks before that
 */
export function askSignInAt(world: World & { terminal: Terminal }, computer: Promise<Computer>): AskSignIn {
  const { terminal, style, note } = world;
  return async ({ server, host, problem }, { signal }) => {
    const name = style.bold(briefLine(server, 48));
    const preface = [`${style.yellow('?')} MCP server ${name} (${briefLine(host, 60)}) ${REASONS[problem]}.`];
    const typed = await terminal.ask('  Sign in now? [y]es, [N]o: ', { preface, settle: true, signal });
    if (typed === undefined) return undefined;
    if (!['y', 'yes'].includes(typed.trim().toLowerCase())) {
      note(style.dim(`'sign-in ${oneLine(server)}' does so later`));
      return { action: 'decline' };
    }
    void signInHere(computer, server, world);
    return { action: 'accept' };
  };
}

/** Signs in beside the shell, which stays usable. */
async function signInHere(computer: Promise<Computer>, server: string, world: World): Promise<void> {
  const { note, style } = world;
  try {
    note(await signInAt(await computer, server, world));
  } catch (error) {
    note(`${style.red('a2c:')} ${explainFailure(error).message}`);
  }
}

/** Signs in with the person at this terminal. Resolves with a line about the outcome. */
export async function signInAt(computer: Computer, server: string, world: World): Promise<string> {
  const { env, signal, style } = world;
  const opensBrowser = !isHeadless(env);
  const options = { server, opensBrowser, device: !opensBrowser, signal };
  const status = await walkThrough(step => computer.signIn(server, step), options, world);
  return `${style.green('Signed in')} to '${oneLine(server)}', which ${outcomeOf(status)}`;
}
