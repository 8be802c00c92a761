import {
  type AnswerTo,
  checkField,
  type Elicit,
  type FormField,
  type FormQuestion,
  type UrlQuestion,
} from '@a2c-smcp/computer';
import type { World } from '../../command.ts';
import { jsonLine } from '../../output/json.ts';
import { openInBrowser } from '../../output/open-in-browser.ts';
import type { Style } from '../../output/style.ts';
import { briefLine, cut, safeText } from '../../output/table.ts';
import type { Terminal } from '../../output/terminal.ts';
import { wrap } from '../../output/wrap.ts';
import { choiceLines } from './ask.ts';

type Desk = Pick<World, 'style' | 'note'> & { terminal: Terminal };

/** Characters of what an MCP server wrote. */
const MAX_TEXT_LENGTH = 500;
/** Rows of its message. */
const MAX_MESSAGE_ROWS = 8;

/** Asks what an MCP server wants to know, at the terminal. A terminal that is closed gives no answer. */
export function elicitAt(desk: Desk): Elicit {
  return (question, { signal }) =>
    question.kind === 'url'
      ? askToVisit(question, signal, desk)
      : desk.terminal.converse(askNow =>
          askForm(question, (text, preface = [], settle = false) => askNow(text, { preface, settle, signal }), desk),
        );
}

type AskLine = (text: string, preface?: string[], settle?: boolean) => Promise<string | undefined>;

async function askForm(
  question: FormQuestion,
  ask: AskLine,
  { terminal, style }: Desk,
): Promise<AnswerTo<'form'> | undefined> {
  const { fields, server } = question;
  const count = fields.length === 1 ? 'one field' : `${fields.length} fields`;
  const start = await ask(`  Fill in ${count} for it? [y]es, [N]o: `, heading(question, { terminal, style }), true);
  if (start === undefined) return undefined;
  if (!isYes(start)) return { action: 'decline' };
  const content: Record<string, unknown> = {};
  for (const field of fields) {
    const value = await askField(field, ask, { terminal, style });
    if (value === undefined) return undefined;
    if (value.isGiven) content[field.name] = value.value;
  }
  const summary = Object.entries(content).map(([name, value]) =>
    cut(`    ${style.dim(briefLine(name, 40))}  ${safeText(jsonLine(value))}`, terminal.size.columns - 1),
  );
  const sent = await ask(`  Send this to MCP server ${style.bold(briefLine(server, 48))}? [Y]es, [n]o: `, summary);
  if (sent === undefined) return undefined;
  return sent.trim() === '' || isYes(sent) ? { action: 'accept', content } : { action: 'decline' };
}

type Value = { isGiven: true; value: unknown } | { isGiven: false };

/** Undefined when the terminal was closed. */
async function askField(
  field: FormField,
  ask: AskLine,
  { terminal, style }: Pick<Desk, 'terminal' | 'style'>,
): Promise<Value | undefined> {
  const { size } = terminal;
  const options = field.options ?? [];
  let preface = [
    ...describeField(field, size.columns, style),
    ...choiceLines(
      options.map(({ label }) => label),
      { size, style },
    ),
  ];
  const label = briefLine(field.title ?? field.name, MAX_TEXT_LENGTH);
  const text = `  ${style.bold(label)}${hintOf(field)}: `;
  for (;;) {
    const typed = await ask(text, preface);
    if (typed === undefined) return undefined;
    const isEmpty = typed.trim() === '';
    if (isEmpty && field.default === undefined && !field.isRequired) return { isGiven: false };
    const picked = isEmpty ? field.default : byNumber(typed, field);
    const checked = picked === undefined ? { problem: 'is required' } : checkField(field, picked);
    if ('value' in checked) return { isGiven: true, value: checked.value };
    preface = [style.yellow(`  It ${briefLine(checked.problem, MAX_TEXT_LENGTH)}`)];
  }
}

/** Choices may be given by their numbers. */
function byNumber(typed: string, { type, options = [] }: FormField): string {
  if (type !== 'choice' && type !== 'choices') return typed;
  const words = type === 'choice' ? [typed] : typed.split(',');
  return words.map(word => options[Number(word.trim()) - 1]?.value ?? word.trim()).join(',');
}

function describeField({ description, looksSecret }: FormField, columns: number, style: Style): string[] {
  const text = description === undefined ? [] : wrap(briefLine(description, MAX_TEXT_LENGTH), columns - 3).slice(0, 3);
  const warning = '  MCP servers may not ask for secrets in a form: answer only if you know that this is none.';
  return [...text.map(line => style.dim(`  ${line}`)), ...(looksSecret ? [style.red(warning)] : [])];
}

function hintOf(field: FormField): string {
  const { type, default: value, isRequired, format } = field;
  const kind = {
    boolean: 'y/n',
    choice: 'number or text',
    choices: 'numbers or texts, with commas',
    integer: 'whole number',
  };
  const words = [
    kind[type as keyof typeof kind] ?? format ?? (type === 'number' ? 'number' : ''),
    value === undefined ? '' : `Enter for ${briefLine(jsonLine(value), 60)}`,
    isRequired || value !== undefined ? '' : 'Enter to leave it out',
  ].filter(Boolean);
  return words.length > 0 ? ` (${words.join('; ')})` : '';
}

async function askToVisit(
  question: UrlQuestion,
  signal: AbortSignal,
  { terminal, style, note }: Desk,
): Promise<AnswerTo<'url'> | undefined> {
  const { host } = new URL(question.url);
  const preface = [
    ...heading(question, { terminal, style }),
    `    ${style.bold(safeText(host))}`,
    ...wrap(safeText(question.url), terminal.size.columns - 5).map(line => `    ${line}`),
  ];
  const answer = await terminal.ask('  Open this address in a browser? [y]es, [N]o: ', {
    preface,
    settle: true,
    signal,
  });
  if (answer === undefined) return undefined;
  if (!isYes(answer)) return { action: 'decline' };
  if (!(await openInBrowser(question.url))) note(style.yellow('No browser could be opened: visit the address above.'));
  return { action: 'accept' };
}

/** Names the server in our words, so that its message cannot pass for one of ours. */
function heading(
  { server, tool, agent, message }: FormQuestion | UrlQuestion,
  { terminal, style }: Pick<Desk, 'terminal' | 'style'>,
): string[] {
  const call = tool === undefined ? '' : `, for tool ${style.bold(briefLine(tool, 48))}`;
  const asker = agent === undefined ? '' : ` of Agent ${style.bold(briefLine(agent, 48))}`;
  const lines = wrap(safeText(message), terminal.size.columns - 5);
  const hidden = lines.length - MAX_MESSAGE_ROWS;
  return [
    `${style.yellow('?')} MCP server ${style.bold(briefLine(server, 48))} asks${call}${asker}:`,
    ...lines.slice(0, MAX_MESSAGE_ROWS).map(line => `  ${style.dim('│')} ${line}`),
    ...(hidden > 0 ? [style.dim(`  │ … ${hidden} more lines`)] : []),
  ];
}

function isYes(answer: string): boolean {
  return ['y', 'yes'].includes(answer.trim().toLowerCase());
}
