import type { Answer } from '@a2c-smcp/computer';
import { path, post } from '../api.ts';
import { strings } from '../strings.ts';
import { attempt, toast } from '../toasts.ts';
import { questions } from './state.ts';

/** Answers a question. Another face may have been faster. */
export function answer(id: string, given: Answer): Promise<boolean> {
  return attempt(async () => {
    const { isSettled } = await post<{ isSettled: boolean }>(path('questions', id), given);
    // The stream says the same a moment later; until then nobody shall answer it again.
    questions.value = questions.value.filter(question => question.id !== id);
    if (!isSettled) toast(strings.value.questions.tooLate);
  });
}
