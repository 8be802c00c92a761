import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { organizeDesktop, type PublishedWindow } from './organize.ts';

const servers = fc.constantFrom('a', 'b', 'c', 'd');
const anyWindow: fc.Arbitrary<PublishedWindow> = fc.record({
  server: servers,
  resource: fc.record({
    uri: fc.oneof(
      fc.nat(30).map(id => `window://com.example/${id}`),
      fc.constant('window://'),
      fc.domain().map(host => `https://${host}/`),
    ),
    annotations: fc.option(fc.record({ priority: fc.option(fc.oneof(fc.double(), fc.string())) })),
    _meta: fc.option(fc.record({ fullscreen: fc.oneof(fc.boolean(), fc.constant('yes')) })),
  }),
  contents: fc.array(fc.oneof(fc.record({ text: fc.string() }), fc.record({ blob: fc.string() }), fc.anything())),
});
const desktops = fc.record({
  windows: fc.array(anyWindow),
  size: fc.option(fc.integer({ min: -2, max: 10 })),
  history: fc.array(servers),
});
/** Every window says whose it is, so that an entry can be traced back. */
const traced = (windows: readonly PublishedWindow[]) =>
  windows.map((given, index) => ({ ...given, contents: [...given.contents, { text: `#${given.server}:${index}` }] }));
const originOf = (entry: string) =>
  entry.slice(entry.lastIndexOf('#') + 1).split(':') as [server: string, index: string];

describe('organizeDesktop with any input', () => {
  test('a desktop never has more windows than its size', () => {
    fc.assert(
      fc.property(desktops, ({ windows, size, history }) => {
        const shown = organizeDesktop(windows, size, history).length;
        expect(shown).toBeLessThanOrEqual(Math.min(windows.length, Math.max(0, size ?? windows.length)));
      }),
    );
  });

  test('a server with a fullscreen window never has two windows on a desktop', () => {
    fc.assert(
      fc.property(desktops, ({ windows, history }) => {
        const shown = organizeDesktop(traced(windows), null, history).map(originOf);
        for (const [server, index] of shown) {
          const isFull =
            (windows[Number(index)]?.resource._meta as { fullscreen?: unknown } | null)?.fullscreen === true;
          if (isFull) expect(shown.filter(([other]) => other === server)).toHaveLength(1);
        }
      }),
    );
  });

  test('the windows of a server stay together on a desktop, and equal ones in their order', () => {
    fc.assert(
      fc.property(desktops, ({ windows, history }) => {
        const plain = windows.map(given => ({ ...given, resource: { uri: 'window://com.example/x' } }));
        const shown = organizeDesktop(traced(plain), null, history).map(originOf);
        const blocks = shown.map(([server]) => server).filter((server, index, all) => server !== all[index - 1]);
        expect(new Set(blocks).size).toBe(blocks.length);
        for (const server of blocks) {
          const indexes = shown.filter(([other]) => other === server).map(([, index]) => Number(index));
          expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  test('a desktop with a size is the beginning of the one without', () => {
    fc.assert(
      fc.property(desktops, fc.nat(10), ({ windows, history }, size) => {
        const all = organizeDesktop(windows, null, history);
        expect(organizeDesktop(windows, size, history)).toEqual(all.slice(0, size));
      }),
    );
  });
});
