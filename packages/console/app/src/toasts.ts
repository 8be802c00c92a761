import { signal } from '@preact/signals';
import { strings } from './strings.ts';
import { messageOf } from './use.ts';

export interface Toast {
  id: number;
  text: string;
  isError: boolean;
}

const SHOWN_MS = 6000;
let count = 0;
export const toasts = signal<readonly Toast[]>([]);

export function toast(text: string, isError = false): void {
  count += 1;
  const id = count;
  toasts.value = [...toasts.value.slice(-3), { id, text, isError }];
  if (!isError) setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter(each => each.id !== id);
}

/** Does something that the person asked for; a failure is shown. Returns whether it succeeded. */
export async function attempt(act: () => Promise<unknown>, success?: string): Promise<boolean> {
  try {
    await act();
    if (success !== undefined) toast(success);
    return true;
  } catch (error) {
    toast(messageOf(error, strings.value.app.offline), true);
    return false;
  }
}
