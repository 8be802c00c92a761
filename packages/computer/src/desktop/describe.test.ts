import { expect, test } from 'vitest';
import { describeContents, describeWindow } from './describe.ts';

const uri = 'window://com.example.app/main';

test.each<[what: string, resource: object, problem: RegExp]>([
  ['a priority above 1', { annotations: { priority: 7 } }, /priority/],
  ['a priority below 0', { annotations: { priority: -0.1 } }, /priority/],
  ['a priority that is NaN', { annotations: { priority: Number.NaN } }, /priority/],
  ['a priority that is text', { annotations: { priority: '1' } }, /priority/],
  ['fullscreen that is text', { _meta: { fullscreen: 'yes' } }, /fullscreen/],
  ['fullscreen that is a number', { _meta: { fullscreen: 1 } }, /fullscreen/],
  ['an audience of the user alone', { annotations: { audience: ['user'] } }, /assistant/],
  ['an empty audience', { annotations: { audience: [] } }, /assistant/],
  ['annotations that are no object', { annotations: 'high' }, /no object/],
  ['an audience that is no list', { annotations: { audience: 'assistant' } }, /audience/],
  ['an unknown role', { annotations: { audience: ['assistant', 'robot'] } }, /audience/],
  ['a time that is a number', { annotations: { lastModified: 5 } }, /ISO 8601/],
  ['a time in words', { annotations: { lastModified: 'Sat, 31 Jan 2026' } }, /ISO 8601/],
  ['an impossible date', { annotations: { lastModified: '2026-13-01' } }, /ISO 8601/],
  ['a query', { uri: `${uri}?priority=1` }, /query/],
  ['an invalid URI', { uri: 'window://' }, /URI/],
])('%s is one problem', (_, resource, problem) => {
  const { problems } = describeWindow({ uri, ...resource });
  expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(problem)]);
});

test.each<[what: string, resource: object]>([
  ['nothing but a URI', {}],
  ['null for everything', { annotations: null, _meta: null }],
  ['null within', { annotations: { priority: null, audience: null }, _meta: { fullscreen: null } }],
  [
    'everything as it should be',
    {
      annotations: { priority: 1, audience: ['assistant'], lastModified: '2026-01-31T08:30:00.5+01:00' },
      _meta: { fullscreen: false },
    },
  ],
  ['an audience of both', { annotations: { audience: ['user', 'assistant'] } }],
])('%s is no problem', (_, resource) => {
  expect(describeWindow({ uri, ...resource }).problems).toEqual([]);
});

test('binary content is a problem, text is none', () => {
  expect(describeContents([{ blob: 'AA==' }, { text: 'a' }])).toMatchObject({ texts: ['a'], problems: [{}] });
  expect(describeContents([{ text: '' }])).toEqual({ texts: [''], problems: [] });
});
