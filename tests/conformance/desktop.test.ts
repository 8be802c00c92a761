import { organizeDesktop, type PublishedWindow } from '@a2c-smcp/computer';
import { describe, expect } from 'vitest';
import { verifies } from './verifies.ts';

/** A window of the server named first. */
function window(server: string, path: string, resource: object = {}, contents: unknown[] = [{ text: path }]) {
  const uri = `window://com.example/${path}`;
  return { server, resource: { uri, ...resource }, contents } satisfies PublishedWindow;
}
const ranked = (path: string, priority: unknown) => window('a', path, { annotations: { priority } });
const full = (server: string, path: string, fullscreen: unknown) => window(server, path, { _meta: { fullscreen } });

/** The paths of the windows shown. */
function shown(windows: readonly PublishedWindow[], size?: number | null, history?: string[]): string[] {
  return organizeDesktop(windows, size, history).map(entry => entry.split('\n')[0]?.split('/').at(-1) ?? '');
}

describe('the layout of a desktop', () => {
  verifies('window-meta.no-query', () => {
    const loud = [
      window('a', 'first?priority=1&fullscreen=true'),
      window('a', 'second', { _meta: { priority: 1 } }),
      ranked('third', 0.1),
    ];
    expect(shown(loud)).toEqual(['third', 'first', 'second']);
  });

  verifies('desktop.filter.no-text', () => {
    const windows = [
      window('a', 'empty', {}, []),
      window('a', 'blobs', {}, [{ blob: 'AA==' }]),
      { server: 'a', resource: { uri: 'window://com.example/missing' } } as unknown as PublishedWindow,
      window('a', 'text'),
    ];
    expect(shown(windows)).toEqual(['text']);
  });

  verifies('desktop.order.servers', () => {
    const windows = ['d', 'c', 'a', 'b', 'c'].map((server, index) => window(server, `${server}${index}`));
    expect(shown(windows)).toEqual(['a2', 'b3', 'c1', 'c4', 'd0']);
    expect(shown(windows, null, ['b', 'c', 'b', 'gone'])).toEqual(['b3', 'c1', 'c4', 'a2', 'd0']);
  });

  verifies('desktop.order.priority', () => {
    const modified = (path: string, lastModified: string) => window('a', path, { annotations: { lastModified } });
    const windows = [
      modified('old', '2020-01-01'),
      modified('new', '2026-01-01'),
      ranked('low', 0.1),
      ranked('high', 1),
    ];
    expect(shown(windows)).toEqual(['high', 'low', 'old', 'new']);
  });

  verifies('desktop.fullscreen.first', () => {
    const windows = [
      ranked('high', 1),
      full('a', 'first', true),
      window('a', 'second', { annotations: { priority: 1 }, _meta: { fullscreen: true } }),
      window('b', 'other'),
      full('c', 'third', true),
    ];
    expect(shown(windows)).toEqual(['first', 'other', 'third']);
  });

  verifies('desktop.fullscreen.filtered', () => {
    expect(shown([window('a', 'hidden', { _meta: { fullscreen: true } }, []), window('a', 'seen')])).toEqual(['seen']);
  });

  verifies('desktop.size.limit', () => {
    const windows = [window('a', '1'), window('a', '2'), window('b', '3')];
    expect(shown(windows)).toEqual(['1', '2', '3']);
    expect(shown(windows, null)).toEqual(['1', '2', '3']);
    expect(shown(windows, 2)).toEqual(['1', '2']);
  });
});

describe('the rendering of a window', () => {
  const render = (...contents: unknown[]) => organizeDesktop([window('a', 'x', {}, contents)])[0];

  verifies('render.text', () => {
    expect(render({ text: 'one' }, { text: 'two' })).toBe('window://com.example/x\n\none\n\ntwo');
  });

  verifies('render.uri-only', () => {
    expect(render({ text: '' }, { text: '' })).toBe('window://com.example/x');
  });
});
