import { describe, expect, test } from 'vitest';
import { organizeDesktop, type PublishedWindow } from './organize.ts';

interface Given {
  annotations?: unknown;
  meta?: unknown;
  contents?: readonly unknown[];
}

/** The window `server/path`, or `server/window://…` with its whole URI, that shows the text `T` unless told otherwise. */
function window(name: string, { annotations, meta, contents = [{ text: 'T' }] }: Given = {}): PublishedWindow {
  const [server = '', ...path] = name.split('/');
  const given = path.join('/');
  const uri = given.startsWith('window:') ? given : `window://com.example.${name}`;
  return { server, resource: { uri, annotations, _meta: meta }, contents };
}
const ranked = (name: string, priority: unknown) => window(name, { annotations: { priority } });
const full = (name: string, fullscreen: unknown = true) => window(name, { meta: { fullscreen } });
const holding = (...contents: unknown[]) => window('a/x', { contents });

interface Case {
  windows: PublishedWindow[];
  size?: number | null;
  history?: string[];
  /** The windows shown, by the names they were made with. */
  shown: string[];
}

const cases: Record<string, Case> = {
  // Step 1: what is shown at all.
  'nothing gives nothing': { windows: [], shown: [] },
  'one window is shown': { windows: [window('a/x')], shown: ['a/x'] },
  'a window without contents is not': { windows: [window('a/x', { contents: [] }), window('a/y')], shown: ['a/y'] },
  'a window of blobs only is not': { windows: [holding({ blob: 'AA==' }), window('a/y')], shown: ['a/y'] },
  'a window with a text beside a blob is': { windows: [holding({ blob: 'AA==' }, { text: 'T' })], shown: ['a/x'] },
  'a text of null is no text': { windows: [holding({ text: null })], shown: [] },
  'contents that are no objects are no text': { windows: [holding('T', 7, null)], shown: [] },
  'another scheme is no window': {
    windows: [window('a/dpe'), { ...window('a/x'), resource: { uri: 'dpe://a/x' } }],
    shown: ['a/dpe'],
  },
  'a window without a host is none': { windows: [{ ...window('a/x'), resource: { uri: 'window://' } }], shown: [] },
  'bad percent-encoding is no window': {
    windows: [{ ...window('a/x'), resource: { uri: 'window://h/%zz' } }],
    shown: [],
  },
  'a host alone is a window': { windows: [window('a')], shown: ['a'] },

  // Step 2: servers.
  'servers come by name': { windows: [window('c/x'), window('a/x'), window('b/x')], shown: ['a/x', 'b/x', 'c/x'] },
  'names are ordered by code unit': {
    windows: [window('a/x'), window('B/x'), window('ä/x'), window('_/x')],
    shown: ['B/x', '_/x', 'a/x', 'ä/x'],
  },
  'the server used last comes first': {
    windows: [window('a/x'), window('b/x')],
    history: ['b'],
    shown: ['b/x', 'a/x'],
  },
  'later use beats earlier use': {
    windows: [window('a/x'), window('b/x'), window('c/x')],
    history: ['c', 'b'],
    shown: ['b/x', 'c/x', 'a/x'],
  },
  'the last of several uses counts': {
    windows: [window('a/x'), window('b/x')],
    history: ['a', 'b', 'a'],
    shown: ['a/x', 'b/x'],
  },
  'unknown servers in the history do no harm': {
    windows: [window('b/x'), window('a/x')],
    history: ['z', 'b', 'y'],
    shown: ['b/x', 'a/x'],
  },
  'the windows of a server stay together': {
    windows: [window('a/x'), window('b/x'), window('a/y')],
    shown: ['a/x', 'a/y', 'b/x'],
  },
  'the host plays no part': { windows: [window('b/window://com.example.a/x'), window('a/y')], shown: ['a/y', 'a/x'] },

  // Step 3: priority.
  'a higher priority comes first': { windows: [ranked('a/x', 0.1), ranked('a/y', 0.9)], shown: ['a/y', 'a/x'] },
  'equal priorities keep their order': {
    windows: [ranked('a/y', 0.5), ranked('a/x', 0.5), ranked('a/z', 0.5)],
    shown: ['a/y', 'a/x', 'a/z'],
  },
  'no priority is 0': { windows: [window('a/x'), ranked('a/y', 0), ranked('a/z', 0.01)], shown: ['a/z', 'a/x', 'a/y'] },
  'no annotations are no priority': {
    windows: [window('a/x', { annotations: null }), ranked('a/y', 0.2)],
    shown: ['a/y', 'a/x'],
  },
  'a priority of null is none': { windows: [ranked('a/x', null), ranked('a/y', 0.2)], shown: ['a/y', 'a/x'] },
  '1 is a priority': { windows: [ranked('a/x', 0.99), ranked('a/y', 1)], shown: ['a/y', 'a/x'] },
  'above 1 counts as 0': { windows: [ranked('a/x', 1.1), ranked('a/y', 0.2)], shown: ['a/y', 'a/x'] },
  'below 0 counts as 0': { windows: [ranked('a/x', -1), ranked('a/y', 0)], shown: ['a/x', 'a/y'] },
  'NaN counts as 0': { windows: [ranked('a/x', Number.NaN), ranked('a/y', 0.2)], shown: ['a/y', 'a/x'] },
  'a text counts as 0': { windows: [ranked('a/x', '0.9'), ranked('a/y', 0.2)], shown: ['a/y', 'a/x'] },
  'priorities of different servers are not compared': {
    windows: [ranked('b/x', 1), ranked('a/x', 0)],
    shown: ['a/x', 'b/x'],
  },
  '_meta.priority plays no part': {
    windows: [window('a/x', { meta: { priority: 1 } }), ranked('a/y', 0.2)],
    shown: ['a/y', 'a/x'],
  },
  'a priority in the query plays no part': {
    windows: [window('a/window://com.example.a/x?priority=1'), ranked('a/y', 0.2)],
    shown: ['a/y', 'a/x'],
  },
  'lastModified plays no part': {
    windows: [
      window('a/x', { annotations: { lastModified: '2020-01-01' } }),
      window('a/y', { annotations: { lastModified: '2026-01-01' } }),
    ],
    shown: ['a/x', 'a/y'],
  },

  // Step 4: fullscreen.
  'a fullscreen window hides the others of its server': { windows: [ranked('a/x', 1), full('a/y')], shown: ['a/y'] },
  'the first fullscreen window wins, whatever its priority': {
    windows: [full('a/x'), window('a/y', { annotations: { priority: 1 }, meta: { fullscreen: true } })],
    shown: ['a/x'],
  },
  'it hides nothing of another server': {
    windows: [full('a/x'), window('b/x'), window('b/y')],
    shown: ['a/x', 'b/x', 'b/y'],
  },
  'each server may have one': { windows: [full('a/x'), full('b/y'), window('a/z')], shown: ['a/x', 'b/y'] },
  'only true is fullscreen': {
    windows: [full('a/x', 'true'), full('a/y', 1), full('a/z', false)],
    shown: ['a/x', 'a/y', 'a/z'],
  },
  'missing means false': { windows: [full('a/x', null), window('a/y', { meta: null })], shown: ['a/x', 'a/y'] },
  'fullscreen in the query plays no part': {
    windows: [window('a/window://com.example.a/x?fullscreen=true'), window('a/y')],
    shown: ['a/x', 'a/y'],
  },
  'a fullscreen window that is not shown hides nothing': {
    windows: [window('a/x', { meta: { fullscreen: true }, contents: [] }), window('a/y')],
    shown: ['a/y'],
  },
  'the audience plays no part': { windows: [window('a/x', { annotations: { audience: ['user'] } })], shown: ['a/x'] },

  // Step 5: size.
  'null means all': { windows: [window('a/x'), window('b/x')], size: null, shown: ['a/x', 'b/x'] },
  'zero means none': { windows: [window('a/x')], size: 0, shown: [] },
  'less than zero means none': { windows: [window('a/x')], size: -3, shown: [] },
  'a size counts over all servers': {
    windows: [window('a/x'), window('a/y'), window('b/x')],
    size: 2,
    shown: ['a/x', 'a/y'],
  },
  'the size cuts after ordering': { windows: [window('a/x'), window('b/x')], size: 1, history: ['b'], shown: ['b/x'] },
  'a larger size than there are windows shows all': { windows: [window('a/x')], size: 99, shown: ['a/x'] },
  'what is not shown does not count': {
    windows: [holding(), window('a/y'), window('a/z')],
    size: 2,
    shown: ['a/y', 'a/z'],
  },
};

describe('organizeDesktop', () => {
  test.each(Object.entries(cases))('%s', (_, { windows, size, history, shown }) => {
    const uris = shown.map(name => `window://com.example.${name}`);
    expect(organizeDesktop(windows, size, history).map(entry => entry.split('\n')[0])).toEqual(uris);
  });

  test.each<[name: string, contents: unknown[], entry: string]>([
    ['a body stands after an empty line', [{ text: 'one' }], 'U\n\none'],
    ['texts are joined by empty lines', [{ text: 'one' }, { text: 'two' }], 'U\n\none\n\ntwo'],
    ['a text is not trimmed', [{ text: ' one\n' }], 'U\n\n one\n'],
    ['blobs between texts are skipped', [{ text: 'one' }, { blob: 'AA==' }, { text: 'two' }], 'U\n\none\n\ntwo'],
    ['an empty text leaves the URI alone', [{ text: '' }], 'U'],
    ['so do several', [{ text: '' }, { text: '' }], 'U'],
    ['an empty text beside another is joined like any', [{ text: '' }, { text: 'two' }], 'U\n\n\n\ntwo'],
    ['white space is a text', [{ text: ' ' }], 'U\n\n '],
  ])('%s', (_, contents, entry) => {
    expect(organizeDesktop([holding(...contents)])).toEqual([entry.replace('U', 'window://com.example.a/x')]);
  });

  test('organizeDesktop shows URIs without query and fragment', () => {
    const given = window('a/window://com.example.a/x%2Fy?priority=1#top');
    expect(organizeDesktop([given])).toEqual(['window://com.example.a/x%2Fy\n\nT']);
  });

  test('organizeDesktop does not mutate its input', () => {
    const windows = Object.freeze([ranked('b/x', 0.1), ranked('b/y', 0.2), window('a/x')]);
    const history = Object.freeze(['b']);
    expect(organizeDesktop(windows, 2, history)).toHaveLength(2);
  });
});
