import type { Ask, AskableInput } from '@a2c-smcp/computer';
import type { World } from '../../command.ts';
import type { Style } from '../../output/style.ts';
import { briefLine, cut } from '../../output/table.ts';
import type { Terminal, TerminalSize } from '../../output/terminal.ts';

/** Characters of a description or a default. Configuration files may come from other people. */
const MAX_TEXT_LENGTH = 500;

type Desk = Pick<World, 'style'> & { terminal: Terminal };

/** Asks for inputs at the terminal: a password without an echo, a choice by number or by text. */
export function askAt({ terminal, style }: Desk): Ask {
  return async (input, { signal }) => {
    const hidden = input.type === 'promptString' && input.password === true;
    const choices = input.type === 'pickString' ? input.options : [];
    const preface = choiceLines(choices, { size: terminal.size, style });
    const description = briefLine(input.description, MAX_TEXT_LENGTH);
    const question = `${style.bold('?')} ${description}${defaultHint(input, hidden)}: `;
    const answer = await terminal.ask(question, { hidden, preface, signal });
    if (answer === undefined || answer === '') return undefined;
    return choices[Number(answer) - 1] ?? answer;
  };
}

/** Choices, one per line, as many as fit on the screen. The others can be answered by their text. */
function choiceLines(choices: readonly string[], { size, style }: { size: TerminalSize; style: Style }): string[] {
  const shown = choices.slice(0, Math.max(3, size.rows - 4));
  const lines = shown.map((choice, index) =>
    cut(`  ${style.cyan(String(index + 1))}  ${briefLine(choice, MAX_TEXT_LENGTH)}`, size.columns - 1),
  );
  const hidden = choices.length - shown.length;
  return hidden > 0 ? [...lines, `  … ${hidden.toLocaleString('en')} more`] : lines;
}

function defaultHint({ default: value }: AskableInput, isHidden: boolean): string {
  if (value === undefined || value === null || value === '') return '';
  return ` [${isHidden ? 'Enter for the default' : briefLine(value, MAX_TEXT_LENGTH)}]`;
}
