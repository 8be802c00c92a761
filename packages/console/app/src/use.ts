import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError, get } from './api.ts';
import { versions } from './stream/store.ts';

export interface Fetched<T> {
  /** The last value, also while a newer one is on its way. */
  value: T | undefined;
  error: Error | undefined;
  isLoading: boolean;
  refresh: () => void;
}

/**
 * Fetches a path, and again whenever one of the topics changes.
 *
 * @param path undefined fetches nothing
 */
export function useFetch<T>(path: string | undefined, topics: readonly string[] = []): Fetched<T> {
  const state = useSignal<{ path: string | undefined; value?: T; error?: Error; isLoading: boolean }>({
    path,
    isLoading: path !== undefined,
  });
  const count = useSignal(0);
  const version = ['*', ...topics].map(topic => versions.value[topic] ?? 0).join();
  useEffect(() => {
    if (path === undefined) return;
    const abort = new AbortController();
    const known = state.peek();
    state.value = known.path === path ? { ...known, isLoading: true } : { path, isLoading: true };
    get<T>(path, abort.signal).then(
      value => {
        if (!abort.signal.aborted) state.value = { path, value, isLoading: false };
      },
      error => {
        if (!abort.signal.aborted) state.value = { ...state.peek(), path, error, isLoading: false };
      },
    );
    return () => abort.abort();
  }, [path, version, count.value]);
  const { value, error, isLoading, path: shown } = state.value;
  const isCurrent = shown === path;
  return {
    value: isCurrent ? value : undefined,
    error: isCurrent ? error : undefined,
    isLoading: isLoading || !isCurrent,
    refresh: () => {
      count.value += 1;
    },
  };
}

/** Draws the component again every so often, for durations that grow. */
export function useTick(milliseconds: number, isActive = true): void {
  const tick = useSignal(0);
  // Read, so that a change is noticed.
  void tick.value;
  useEffect(() => {
    if (!isActive) return;
    const timer = setInterval(() => {
      tick.value += 1;
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds, isActive]);
}

/** The width and height of an element, as they change. */
export function useSize<E extends HTMLElement>() {
  const element = useRef<E>(null);
  const size = useSignal({ width: 0, height: 0 });
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(() => {
      size.value = { width: current.clientWidth, height: current.clientHeight };
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return { element, size };
}

/** The error as a message for people. */
export function messageOf(error: unknown, offline: string): string {
  if (error instanceof ApiError && error.status === 0) return offline;
  return error instanceof Error ? error.message : String(error);
}
