import { isObject } from '@a2c-smcp/core';
import { fillForm } from './form.ts';
import type { Answer, Question } from './question.ts';

/** The longest time that a yes may count. */
const MAX_MINUTES = 24 * 60;
const MAX_REASON_LENGTH = 1000;

/** The answer, complete and without anything that does not belong to it. Throws a `TypeError` if it does not fit. */
export function checkAnswer(question: Question, answer: Answer): Answer {
  const given = (isObject(answer) ? answer : {}) as Record<string, unknown>;
  switch (question.kind) {
    case 'confirmation':
      return checkConfirmation(given);
    case 'form': {
      if (given.action !== 'accept') return { action: refusal(given.action) };
      const { content, problems } = fillForm(question.fields, given.content);
      const [problem] = Object.entries(problems);
      if (problem) throw new TypeError(`'${problem[0]}' ${problem[1]}`);
      return { action: 'accept', content };
    }
    case 'url':
    case 'sign-in':
      return given.action === 'accept' ? { action: 'accept' } : { action: refusal(given.action) };
    case 'input':
      if (given.action === 'accept' && typeof given.value === 'string') return { action: 'accept', value: given.value };
      if (given.action === 'cancel') return { action: 'cancel' };
      throw new TypeError("An input is answered with { action: 'accept', value } or { action: 'cancel' }");
  }
}

function checkConfirmation({ action, remember, params, reason }: Record<string, unknown>): Answer {
  if (action === 'refuse') {
    return { action, ...(typeof reason === 'string' ? { reason: reason.slice(0, MAX_REASON_LENGTH) } : {}) };
  }
  if (action !== 'run') throw new TypeError("A confirmation is answered with the action 'run' or 'refuse'");
  if (params !== undefined && !isObject(params)) throw new TypeError("'params' must be an object");
  if (remember === undefined) return { action, params };
  if (remember === 'session' || remember === 'always') return { action, remember, params };
  const minutes = isObject(remember) ? Number(remember.minutes) : Number.NaN;
  if (!(minutes > 0 && minutes <= MAX_MINUTES)) {
    throw new TypeError(`'remember' must be 'session', 'always' or { minutes } with 1 to ${MAX_MINUTES}`);
  }
  return { action, remember: { minutes }, params };
}

function refusal(action: unknown): 'decline' | 'cancel' {
  if (action === 'decline' || action === 'cancel') return action;
  throw new TypeError("The action must be 'accept', 'decline' or 'cancel'");
}
