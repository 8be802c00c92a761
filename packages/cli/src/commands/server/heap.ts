import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap always grow by the factor that V8 allows itself at most, 4, before all of it is collected. Messages in
 * transit count towards that, so that it would otherwise collect the small heap of a relay again and again: with bodies
 * of a megabyte that costs as much as relaying them.
 */
export function giveHeapRoom(): void {
  setFlagsFromString('--heap-growing-percent=300');
}
