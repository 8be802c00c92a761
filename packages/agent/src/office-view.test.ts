import { Emitter, silentLogger } from '@a2c-smcp/core';
import { describe, expect, test } from 'vitest';
import type { AgentEvents } from './events.ts';
import { OfficeView } from './office-view.ts';

function openView() {
  const events = new Emitter<AgentEvents>();
  const emitted: string[] = [];
  events.on('enter', ({ computer }) => emitted.push(`+${computer}`));
  events.on('leave', ({ computer }) => emitted.push(`-${computer}`));
  const fetch = async () => ({ tools: [] });
  const view = new OfficeView({ fetch, events, topics: new Set(['tools'] as const), logger: silentLogger });
  return { view, emitted };
}

describe('a list of the office', () => {
  test('a list adds new Computers and removes absent ones', async () => {
    const { view, emitted } = openView();
    await view.sync(async () => ['a', 'b']);
    await view.sync(async () => ['b', 'c']);
    expect([...view.computers.keys()]).toEqual(['b', 'c']);
    expect(emitted).toEqual(['+a', '+b', '-a', '+c']);
  });

  test('a Computer that enters while the list is pending stays', async () => {
    const { view, emitted } = openView();
    await view.sync(async () => {
      await view.enter('late');
      return [];
    });
    expect(emitted).toEqual(['+late']);
  });

  test('a Computer that leaves while the list is pending is not added again', async () => {
    const { view, emitted } = openView();
    await view.enter('hasty');
    await view.sync(async () => {
      view.leave('hasty');
      return ['hasty'];
    });
    expect(emitted).toEqual(['+hasty', '-hasty']);
  });

  test('a list that fails changes nothing', async () => {
    const { view } = openView();
    await view.enter('a');
    await expect(view.sync(() => Promise.reject(new Error('offline')))).rejects.toThrow('offline');
    expect([...view.computers.keys()]).toEqual(['a']);
  });
});
