import type { Ask } from '../inputs/inputs.ts';
import type {
  AnswerTo,
  ConfirmationQuestion,
  FormQuestion,
  Question,
  SignInQuestion,
  UrlQuestion,
} from '../questions/question.ts';
import type { Face } from '../questions/questions.ts';

/** A question to a person before a tool runs. */
export interface Confirmation extends Omit<ConfirmationQuestion, 'kind' | 'id' | 'askedAt'> {
  /** Fires when the answer is no longer wanted: the call was cancelled, its time is over, or another face answered. */
  signal: AbortSignal;
}

/**
 * Decides whether a tool may run. Anything but `true` and an answer with the action `run`, a failure included, means no.
 * Undefined leaves the decision to others who can be asked.
 */
export type Confirm = (
  confirmation: Confirmation,
) => Promise<boolean | AnswerTo<'confirmation'> | undefined> | boolean | AnswerTo<'confirmation'> | undefined;

/** Answers a form or an address of an MCP server. Undefined leaves it to others who can be asked. */
export type Elicit = (
  question: FormQuestion | UrlQuestion,
  options: { signal: AbortSignal },
) => Promise<AnswerTo<'form' | 'url'> | undefined>;

/** Answers that an MCP server wants a person to sign in. Undefined leaves it open. */
export type AskSignIn = (
  question: SignInQuestion,
  options: { signal: AbortSignal },
) => Promise<AnswerTo<'sign-in'> | undefined>;

/** Callbacks that answer questions of one kind each. */
export interface FaceCallbacks {
  confirm?: Confirm | undefined;
  ask?: Ask | undefined;
  elicit?: Elicit | undefined;
  askSignIn?: AskSignIn | undefined;
}

/** Callbacks as a face for the kinds of questions that they answer. */
export function faceOf(name: string, { confirm, ask, elicit, askSignIn }: FaceCallbacks): Face {
  const kinds = [
    ...(confirm ? (['confirmation'] as const) : []),
    ...(ask ? (['input'] as const) : []),
    ...(elicit ? (['form', 'url'] as const) : []),
    ...(askSignIn ? (['sign-in'] as const) : []),
  ];
  return {
    name,
    kinds,
    async ask(question: Question, signal: AbortSignal) {
      if (question.kind === 'confirmation') {
        const { kind: _, id: __, askedAt: ___, ...confirmation } = question;
        const answer = await confirm?.({ ...confirmation, signal });
        if (typeof answer === 'object' || answer === undefined) return answer;
        return answer === true ? { action: 'run' } : { action: 'refuse' };
      }
      if (question.kind === 'input') {
        const value = await ask?.(question.input, { signal });
        return value === undefined ? undefined : { action: 'accept', value };
      }
      if (question.kind === 'sign-in') return askSignIn?.(question, { signal });
      return elicit?.(question, { signal });
    },
  };
}
