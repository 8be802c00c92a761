import type { Confirm, Confirmation } from '@a2c-smcp/computer';
import type { World } from '../../command.ts';
import { explainFailure } from '../../failure.ts';
import type { Terminal } from '../../output/terminal.ts';
import { describeCall } from './call-description.ts';

export interface ConfirmOptions extends Pick<World, 'note' | 'style'> {
  terminal: Terminal;
  /** Stores the answer "always". */
  remember: (confirmation: Confirmation) => Promise<void>;
}

/** Asks at the terminal whether a tool may run, again if the answer is none. No answer refuses it. */
export function confirmAt({ terminal, note, style, remember }: ConfirmOptions): Confirm {
  return async confirmation => {
    const { signal } = confirmation;
    const { lines, question, more } = describeCall(confirmation, terminal.size, style);
    const view = more ? { onView: more } : {};
    for (let preface = lines; ; preface = [style.yellow("  Answer 'y', 'n' or 'a'")]) {
      const answer = await terminal.ask(question, { preface, settle: true, signal, ...view });
      const verdict = verdictOf(answer);
      if (verdict === 'always') {
        await remember(confirmation).catch(error =>
          note(style.yellow(`The tool runs, but "always" could not be stored: ${explainFailure(error).message}`)),
        );
      }
      if (verdict !== undefined) return verdict !== 'no';
    }
  };
}

/** Undefined if the answer is none of the choices. Enter alone is no. */
function verdictOf(answer: string | undefined): 'yes' | 'no' | 'always' | undefined {
  const word = answer?.trim().toLowerCase() ?? '';
  if (word === '') return 'no';
  return (['yes', 'no', 'always'] as const).find(choice => word === choice || word === choice[0]);
}
