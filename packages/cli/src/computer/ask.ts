import type { Ask, AskableInput } from '@a2c-smcp/computer';
import type { World } from '../command.ts';
import type { Terminal } from '../keyboard/terminal.ts';
import { oneLine } from '../output/table.ts';

type Desk = Pick<World, 'style'> & { terminal: Terminal };

/** Asks for inputs at the terminal: a password without showing it, a choice by number or by its text. */
export function askAt({ terminal, style }: Desk): Ask {
  return async (input, { signal }) => {
    const hidden = input.type === 'promptString' && input.password === true;
    const choices = input.type === 'pickString' ? input.options : [];
    const preface = choices.map((choice, index) => `  ${style.cyan(String(index + 1))}  ${oneLine(choice)}`);
    const question = `${style.bold('?')} ${oneLine(input.description)}${standardOf(input, hidden)}: `;
    const answer = await terminal.ask(question, { hidden, preface, signal });
    if (answer === undefined || answer === '') return undefined;
    return choices[Number(answer) - 1] ?? answer;
  };
}

function standardOf({ default: standard }: AskableInput, isHidden: boolean): string {
  if (standard === undefined || standard === null || standard === '') return '';
  return ` [${isHidden ? 'Enter for the default' : oneLine(standard)}]`;
}
