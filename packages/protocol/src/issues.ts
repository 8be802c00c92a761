import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';

// `zod/mini` has no error messages of its own. A program that has set a locale keeps it.
if (!z.config().localeError) z.config(en());

interface Problem {
  /** The field, as in `tools.0.name`; empty for the value as a whole. */
  path: string;
  /** As in `expected string, received undefined`. */
  text: string;
}

/** The problem to report first: an unknown field comes before the missing one that it was meant to be. */
export function firstProblem({ issues }: z.core.$ZodError): Problem {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (!issue) return { path: '', text: 'invalid value' };
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  return { path: path.map(String).join('.'), text: issue.message.replace(/^Invalid \w+(?: \w+)?[:.] /, '') };
}

/** `firstProblem` in one line. */
export function describeProblem(error: z.core.$ZodError): string {
  const { path, text } = firstProblem(error);
  return path === '' ? text : `${path}: ${text}`;
}
