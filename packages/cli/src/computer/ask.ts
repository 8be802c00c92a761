import type { Ask, AskableInput } from '@a2c-smcp/computer';
import type { World } from '../command.ts';
import type { Terminal } from '../keyboard/terminal.ts';
import { oneLine } from '../output/table.ts';

type Desk = Pick<World, 'print' | 'style'> & { terminal: Terminal };

/** Asks for inputs at the terminal: a password without showing it, a choice by number or by its text. */
export function askAt({ terminal, print, style }: Desk): Ask {
  return async (input, { signal }) => {
    const isHidden = input.type === 'promptString' && input.password === true;
    if (input.type === 'pickString') {
      for (const [index, option] of input.options.entries())
        print(`  ${style.cyan(String(index + 1))}  ${oneLine(option)}`);
    }
    const question = `${style.bold('?')} ${oneLine(input.description)}${standardOf(input, isHidden)}: `;
    const answer = await terminal.ask(question, { hidden: isHidden, signal });
    if (answer === undefined || answer === '') return undefined;
    return input.type === 'pickString' ? (input.options[Number(answer) - 1] ?? answer) : answer;
  };
}

function standardOf({ default: standard }: AskableInput, isHidden: boolean): string {
  if (standard === undefined || standard === null || standard === '') return '';
  return ` [${isHidden ? 'Enter for the default' : oneLine(standard)}]`;
}
