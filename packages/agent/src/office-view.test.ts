import { Emitter, silentLogger } from '@a2c-smcp/core';
import { describe, expect, test } from 'vitest';
import type { AgentEvents } from './events.ts';
import { OfficeView } from './office-view.ts';

function openView() {
  const events = new Emitter<AgentEvents>();
  const told: string[] = [];
  events.on('enter', ({ computer }) => told.push(`+${computer}`));
  events.on('leave', ({ computer }) => told.push(`-${computer}`));
  const fetch = async () => ({ tools: [] });
  const view = new OfficeView({ fetch, events, topics: new Set(['tools'] as const), logger: silentLogger });
  return { view, told };
}

describe('a list of the office', () => {
  test('adds who is there and removes who is not', async () => {
    const { view, told } = openView();
    await view.sync(async () => ['a', 'b']);
    await view.sync(async () => ['b', 'c']);
    expect([...view.computers.keys()]).toEqual(['b', 'c']);
    expect(told).toEqual(['+a', '+b', '-a', '+c']);
  });

  test('does not remove a Computer that came while it was on its way', async () => {
    const { view, told } = openView();
    await view.sync(async () => {
      await view.enter('late');
      return [];
    });
    expect(told).toEqual(['+late']);
  });

  test('does not bring back a Computer that left while it was on its way', async () => {
    const { view, told } = openView();
    await view.enter('hasty');
    await view.sync(async () => {
      view.leave('hasty');
      return ['hasty'];
    });
    expect(told).toEqual(['+hasty', '-hasty']);
  });

  test('that fails changes nothing', async () => {
    const { view } = openView();
    await view.enter('a');
    await expect(view.sync(() => Promise.reject(new Error('offline')))).rejects.toThrow('offline');
    expect([...view.computers.keys()]).toEqual(['a']);
  });
});
