import type { AskableInput } from '../inputs/inputs.ts';
import type { FormField } from './form.ts';

/** The tool call that a question belongs to. */
export interface CallOrigin {
  reqId: string;
  /** The name the Agent used. */
  tool: string;
  /** Undefined for a call from this machine. */
  agent?: string | undefined;
  office?: string | undefined;
}

interface Common {
  id: string;
  /** ISO 8601. */
  askedAt: string;
  /** Milliseconds since 1970 at which the question is withdrawn, if that is known. */
  deadline?: number | undefined;
}

/** May a tool run? */
export interface ConfirmationQuestion extends Common, CallOrigin {
  kind: 'confirmation';
  server: string;
  /** The name the MCP server knows the tool by. */
  originalTool: string;
  params: Record<string, unknown>;
  /** The annotations of the MCP server, such as `destructiveHint`. */
  annotations?: Record<string, unknown> | undefined;
  /** Why it is asked, if not for lack of an `auto_apply`. */
  reason?: string | undefined;
  /** The tool differs from what was used before: lines of its definition, with `-` and `+`. */
  change?: readonly string[] | undefined;
}

/** An MCP server wants a form filled in. */
export interface FormQuestion extends Common, Partial<CallOrigin> {
  kind: 'form';
  server: string;
  message: string;
  /** As the MCP server sent it. */
  schema: Record<string, unknown>;
  fields: readonly FormField[];
}

/** An MCP server wants a person to visit an address. */
export interface UrlQuestion extends Common, Partial<CallOrigin> {
  kind: 'url';
  server: string;
  message: string;
  url: string;
}

/** The value of an input is missing. */
export interface InputQuestion extends Common {
  kind: 'input';
  server?: undefined;
  input: AskableInput;
}

/**
 * An MCP server wants a person to sign in. It stays open until somebody does, also while there is no face for it; `accept`
 * means that the face calls `computer.signIn` now, `decline` that it is not asked for again before the next sign-in.
 */
export interface SignInQuestion extends Common {
  kind: 'sign-in';
  server: string;
  /** The host of the server. */
  host: string;
  /** Nothing was granted so far; the grant has expired or was withdrawn; it does not cover what an Agent wants. */
  problem: 'required' | 'expired' | 'scope' | 'refused';
}

export type Question = ConfirmationQuestion | FormQuestion | UrlQuestion | InputQuestion | SignInQuestion;
export type QuestionKind = Question['kind'];

/** How long a yes counts: for the rest of the Agent's session, for some minutes, or for good. */
export type Remember = 'session' | 'always' | { minutes: number };

interface Answers {
  confirmation:
    | {
        action: 'run';
        remember?: Remember | undefined /** Replace those of the Agent. */;
        params?: Record<string, unknown> | undefined;
      }
    | { action: 'refuse' /** The Agent reads it. */; reason?: string | undefined };
  form: { action: 'accept'; content: Record<string, unknown> } | { action: 'decline' | 'cancel' };
  /** `accept` means that the person agreed to visit the address, not that anything is done there. */
  url: { action: 'accept' | 'decline' | 'cancel' };
  input: { action: 'accept'; value: string } | { action: 'cancel' };
  'sign-in': { action: 'accept' | 'decline' | 'cancel' };
}

export type AnswerTo<Kind extends QuestionKind> = Answers[Kind];
export type Answer = Answers[QuestionKind];

/** How a question ended: with an answer and the face it came from, or without one. */
export type Settlement<Kind extends QuestionKind = QuestionKind> =
  | { answer: AnswerTo<Kind>; by: string }
  /** `absent`: there is no face that could answer. `unanswered`: all faces gave up. */
  | { answer?: undefined; why: 'absent' | 'unanswered' };
