import { expect, test } from 'vitest';
import { Emitter } from './emitter.ts';

interface Events {
  tick: number;
  name: { text: string };
}

test('listeners hear the events of their name, in order', () => {
  const emitter = new Emitter<Events>();
  const heard: unknown[] = [];
  emitter.on('tick', count => heard.push(count));
  emitter.on('name', ({ text }) => heard.push(text));
  emitter.emit('tick', 1);
  emitter.emit('name', { text: 'a' });
  emitter.emit('tick', 2);
  expect(heard).toEqual([1, 'a', 2]);
});

test('the returned function stops one listener', () => {
  const emitter = new Emitter<Events>();
  const heard: number[] = [];
  const stop = emitter.on('tick', count => heard.push(count));
  emitter.on('tick', count => heard.push(count * 10));
  emitter.emit('tick', 1);
  stop();
  stop();
  emitter.emit('tick', 2);
  expect(heard).toEqual([1, 10, 20]);
});

test('a signal stops a listener', () => {
  const emitter = new Emitter<Events>();
  const heard: number[] = [];
  const controller = new AbortController();
  emitter.on('tick', count => heard.push(count), { signal: controller.signal });
  emitter.emit('tick', 1);
  controller.abort();
  emitter.emit('tick', 2);
  expect(heard).toEqual([1]);
});
