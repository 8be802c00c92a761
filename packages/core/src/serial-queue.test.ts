import { expect, test } from 'vitest';
import { SerialQueue } from './serial-queue.ts';

test('tasks run one after the other, in order, and settle as they do', async () => {
  const queue = new SerialQueue();
  const steps: string[] = [];
  const task = (name: string) => async () => {
    steps.push(`${name} starts`);
    await Promise.resolve();
    steps.push(`${name} ends`);
    if (name === 'b') throw new Error(name);
    return name;
  };
  const results = ['a', 'b', 'c'].map(name => queue.run(task(name)));
  expect(queue.size).toBe(3);
  expect(await Promise.allSettled(results)).toMatchObject([
    { value: 'a' },
    { reason: { message: 'b' } },
    { value: 'c' },
  ]);
  expect(steps).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
});

test('a queue is idle when all tasks so far are finished, also failed ones', async () => {
  const queue = new SerialQueue();
  await queue.idle();
  queue.run(() => Promise.reject(new Error('no'))).catch(() => {});
  await queue.idle();
  expect(queue.size).toBe(0);
});
