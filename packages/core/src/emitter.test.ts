import { EventEmitter, getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { Emitter, Interruption, onAbort, onAny } from './emitter.ts';

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

test('many listeners of a signal share one of its own, which is removed with the last', () => {
  const controller = new AbortController();
  const { signal } = controller;
  const heard: number[] = [];
  const stops = Array.from({ length: 20 }, (_, n) => onAbort(signal, () => heard.push(n)));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  for (const stop of stops) stop();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  onAbort(signal, () => heard.push(-1));
  stops[0]?.();
  controller.abort();
  expect(heard).toEqual([-1]);
});

test('a listener that was removed by an earlier one is not called', () => {
  const controller = new AbortController();
  const heard: string[] = [];
  onAbort(controller.signal, () => {
    heard.push('first');
    stop();
  });
  const stop = onAbort(controller.signal, () => heard.push('second'));
  controller.abort();
  expect(heard).toEqual(['first']);
});

test('an interruption fires once, for its listeners and its signals', () => {
  const interruption = new Interruption();
  const heard: string[] = [];
  onAbort(interruption, () => heard.push('first'));
  onAbort(interruption, () => heard.push('removed'))();
  const { signal } = interruption;
  interruption.throwIfAborted();
  interruption.abort('enough');
  interruption.abort('again');
  expect([heard, interruption.aborted, interruption.reason]).toEqual([['first'], true, 'enough']);
  expect([signal.aborted, signal.reason, interruption.signal === signal]).toEqual([true, 'enough', true]);
  expect(() => interruption.throwIfAborted()).toThrow('enough');
  const late = new Interruption();
  late.abort('early');
  expect([late.signal.aborted, late.signal.reason]).toEqual([true, 'early']);
});

test('onAny listens to all events until its function is called', () => {
  const emitter = new EventEmitter();
  let count = 0;
  const stop = onAny(emitter, ['drain', 'close'], () => {
    count += 1;
  });
  emitter.emit('drain');
  emitter.emit('close');
  emitter.emit('other');
  stop();
  emitter.emit('drain');
  expect(count).toBe(2);
  expect(emitter.eventNames()).toEqual([]);
});
