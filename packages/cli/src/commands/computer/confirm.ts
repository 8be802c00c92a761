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

/** Asks at the terminal whether a tool may run. Every answer but yes and always refuses it. */
export function confirmAt({ terminal, note, style, remember }: ConfirmOptions): Confirm {
  return async confirmation => {
    const { signal } = confirmation;
    const { lines, question, more } = describeCall(confirmation, terminal.size, style);
    const view = more ? { onView: more } : {};
    const answer = await terminal.ask(question, { preface: lines, settle: true, signal, ...view });
    const word = answer?.trim().toLowerCase() ?? '';
    if (word === 'a' || word === 'always') {
      await remember(confirmation).catch(error =>
        note(style.yellow(`The tool runs, but "always" could not be stored: ${explainFailure(error).message}`)),
      );
      return true;
    }
    return word === 'y' || word === 'yes';
  };
}
