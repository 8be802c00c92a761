import type { Answer } from '@a2c-smcp/computer';
import { path, post } from '../api.ts';
import { strings } from '../strings.ts';
import { attempt, toast } from '../toasts.ts';

/** Answers a question. Another face may have been faster. */
export function answer(id: string, given: Answer): Promise<boolean> {
  return attempt(async () => {
    const { isSettled } = await post<{ isSettled: boolean }>(path('questions', id), given);
    if (!isSettled) toast(strings.value.questions.tooLate);
  });
}
