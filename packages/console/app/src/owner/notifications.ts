import { computed, effect, signal } from '@preact/signals';
import { go } from '../router.ts';
import { strings } from '../strings.ts';
import { questions } from './state.ts';

const permission = signal<NotificationPermission | 'unknown'>(
  'Notification' in globalThis ? Notification.permission : 'unknown',
);

/** True if the person was not asked yet whether the browser may announce questions. */
export const canAskForNotifications = computed(() => permission.value === 'default');

export async function askForNotifications(): Promise<void> {
  permission.value = await Notification.requestPermission();
}

/** Announces questions by the browser while no tab of the console is in view. */
export function announceQuestions(): void {
  let known = new Set<string>();
  effect(() => {
    const open = questions.value;
    const fresh = open.filter(({ id }) => !known.has(id));
    known = new Set(open.map(({ id }) => id));
    if (fresh.length === 0 || permission.value !== 'granted' || document.visibilityState === 'visible') return;
    // One tag for all tabs: the last one replaces the others.
    const note = new Notification(strings.value.questions.waiting(open.length), { tag: 'a2c-console-questions' });
    note.onclick = () => {
      window.focus();
      go('questions');
    };
  });
}
