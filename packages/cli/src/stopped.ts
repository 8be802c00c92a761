import { once } from 'node:events';

/** Resolves when the signal fires. */
export async function stopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
