import type { Confirm, Confirmation } from '@a2c-smcp/computer';
import type { World } from '../../command.ts';
import { explainFailure } from '../../failure.ts';
import type { Terminal } from '../../keyboard/terminal.ts';
import { describeCall } from './call-description.ts';

export interface ConfirmOptions extends Pick<World, 'note' | 'style'> {
  terminal: Terminal;
  /** Makes "always" last. */
  remember: (confirmation: Confirmation) => Promise<void>;
}

/** Asks at the terminal whether a tool may run. Only a clear yes runs it. */
export function confirmAt({ terminal, note, style, remember }: ConfirmOptions): Confirm {
  return async confirmation => {
    const { signal } = confirmation;
    const { lines, question, more } = describeCall(confirmation, terminal.size, style);
    const view = more ? { onView: more } : {};
    const answer = await terminal.ask(question, { preface: lines, settle: true, signal, ...view });
    const word = answer?.trim().toLowerCase() ?? '';
    if (word === 'a' || word === 'always') {
      await remember(confirmation).catch(error =>
        note(style.yellow(`It runs, but could not be remembered: ${explainFailure(error).message}`)),
      );
      return true;
    }
    return word === 'y' || word === 'yes';
  };
}
