import type { Ask, AskableInput } from '@a2c-smcp/computer';
import { pickOptions } from '@a2c-smcp/protocol';
import type { World } from '../../command.ts';
import type { Style } from '../../output/style.ts';
import { briefLine, cut } from '../../output/table.ts';
import type { Terminal, TerminalSize } from '../../output/terminal.ts';

/** Characters of a description or a default. Configuration files may come from other people. */
const MAX_TEXT_LENGTH = 500;

type Desk = Pick<World, 'style'> & { terminal: Terminal };

/** Asks for inputs at the terminal: a password without an echo, a choice by number, label or value. */
export function askAt({ terminal, style }: Desk): Ask {
  return async (input, { signal }) => {
    const hidden = input.type === 'promptString' && input.password === true;
    const choices = input.type === 'pickString' ? pickOptions(input) : [];
    const labels = choices.map(({ label }) => label);
    const list = choiceLines(labels, { size: terminal.size, style });
    const description = briefLine(input.description, MAX_TEXT_LENGTH);
    const how = choices.length > 0 ? ' (number or text)' : '';
    const question = `${style.bold('?')} ${description}${how}${defaultHint(input, hidden)}: `;
    return terminal.converse(async askNow => {
      for (let preface = list; ; preface = [style.yellow('That is none of them')]) {
        const answer = await askNow(question, { hidden, preface, signal });
        if (answer === undefined || answer === '') return undefined;
        if (choices.length === 0) return answer;
        const byText = choices.find(({ label, value }) => [label, value].includes(answer));
        const chosen = choices[Number(answer) - 1] ?? byText;
        if (chosen) return chosen.value;
      }
    });
  };
}

/** Choices, one per line, as many as fit on the screen. The others can be answered by their text. */
export function choiceLines(
  choices: readonly string[],
  { size, style }: { size: TerminalSize; style: Style },
): string[] {
  const shown = choices.slice(0, Math.max(3, size.rows - 4));
  const lines = shown.map((choice, index) =>
    cut(`  ${style.cyan(String(index + 1))}  ${briefLine(choice, MAX_TEXT_LENGTH)}`, size.columns - 1),
  );
  const hidden = choices.length - shown.length;
  return hidden > 0 ? [...lines, `  … ${hidden.toLocaleString('en')} more`] : lines;
}

function defaultHint(input: AskableInput, isHidden: boolean): string {
  const { default: value } = input;
  if (value === undefined || value === null || value === '') return '';
  const choice = input.type === 'pickString' ? pickOptions(input).find(option => option.value === value) : undefined;
  return ` [${isHidden ? 'Enter for the default' : briefLine(choice?.label ?? value, MAX_TEXT_LENGTH)}]`;
}
