import { expect } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { inspectScript, window, withoutTools } from './inspected.ts';

const audience = ['assistant'];
const withPriority = (priority?: number) => ({ annotations: { audience, priority } });
const fullscreen = { _meta: { fullscreen: true } };

/** The codes of what `a2c inspect` finds in an MCP server with these windows. */
async function findingsIn(...resources: object[]): Promise<string[]> {
  return withoutTools((await inspectScript({ resources })).codes);
}

/** The same for one window with this content. */
async function findingsInContent(content: unknown): Promise<string[]> {
  const script = { resources: [window('a')], contents: { 'window://com.example.app/a': content } };
  return withoutTools((await inspectScript(script)).codes);
}

verifies('window-advice.priority', async () => {
  const [missing, zero, one, single] = await Promise.all([
    findingsIn(window('a', withPriority()), window('b', withPriority())),
    findingsIn(window('a', withPriority(0)), window('b', withPriority(0))),
    findingsIn(window('a', withPriority(0.1)), window('b', withPriority())),
    findingsIn(window('a', withPriority())),
  ]);
  expect([missing, zero]).toEqual([['window-priority-default'], ['window-priority-default']]);
  expect([one, single]).toEqual([[], []]);
});

verifies('window-advice.fullscreen', async () => {
  const [several, one] = await Promise.all([
    findingsIn(window('a', fullscreen), window('b', fullscreen)),
    findingsIn(window('a', fullscreen), window('b')),
  ]);
  expect([several, one]).toEqual([['window-fullscreen-several'], []]);
});

verifies('window-advice.audience', async () => {
  const withAudience = (value?: string[]) => findingsIn(window('a', { annotations: { audience: value } }));
  const [missing, user, both] = await Promise.all([
    withAudience(),
    withAudience(['user']),
    withAudience(['user', 'assistant']),
  ]);
  expect([missing, user, both]).toEqual([['window-audience'], ['window-audience'], []]);
});

verifies('window-advice.text', async () => {
  const uri = 'window://com.example.app/a';
  const [short, long, html, binary] = await Promise.all([
    findingsInContent('x'.repeat(8000)),
    findingsInContent('x'.repeat(8001)),
    findingsInContent('<!DOCTYPE html><p>hi'),
    findingsInContent([
      { uri, text: 'hi' },
      { uri, blob: 'AA==' },
    ]),
  ]);
  expect([short, long, html, binary]).toEqual([[], ['window-long'], ['window-html'], ['window-binary']]);
});

verifies('window-advice.announced', async () => {
  const change = JSON.stringify({ uri: 'window://com.example.app/a', text: 'new' });
  const inspect = (tool: string) => inspectScript({ resources: [window('a')] }, '--change', tool, '-p', change);
  const [announced, silent] = await Promise.all([inspect('write'), inspect('silently')]);
  expect([announced.code, withoutTools(announced.codes)]).toEqual([0, []]);
  expect([silent.code, withoutTools(silent.codes)]).toEqual([1, ['window-stale']]);
});
