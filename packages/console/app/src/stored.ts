import { effect, type Signal, signal } from '@preact/signals';

/** A choice of the person that outlives the page. */
export function stored<T extends string>(key: string, initial: T): Signal<T> {
  const name = `a2c-console-${key}`;
  const choice = signal<T>((read(name) as T | null) ?? initial);
  effect(() => {
    try {
      localStorage.setItem(name, choice.value);
    } catch {
      // Storage is refused in some modes; the choice then lasts as long as the page.
    }
  });
  return choice;
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
