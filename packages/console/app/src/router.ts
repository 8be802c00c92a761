import { computed, signal } from '@preact/signals';

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

/** The decoded parts of the present route: `#/servers/files` has `servers` and `files`. */
export const route = computed(() => {
  const [path = ''] = hash.value.replace(/^#\/?/, '').split('?');
  return path
    .split('/')
    .filter(part => part !== '')
    .map(decode);
});

/** The link to a route. */
export function href(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

export function go(...parts: readonly string[]): void {
  location.hash = href(...parts);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
