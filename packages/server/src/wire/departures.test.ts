import { expect, test } from 'vitest';
import { depart, handleInput, type Sender } from './ws.ts';

/** A sender that counts how often it was flushed. */
function sender() {
  const counted = {
    flushes: 0,
    flushedAt: 0,
    flush(now: number) {
      counted.flushes += 1;
      counted.flushedAt = now;
    },
  };
  return counted satisfies Sender;
}

const turn = () => new Promise(resolve => setImmediate(resolve));

test('a message that input causes leaves behind the input, without waiting for the turn to end', () => {
  const lone = sender();
  handleInput(() => {
    depart(lone);
    expect(lone.flushes).toBe(0);
  });
  expect(lone.flushes).toBe(1);
});

test('a message to a sender that was flushed just now waits for the end of the turn', async () => {
  const busy = sender();
  busy.flushedAt = Number.POSITIVE_INFINITY;
  handleInput(depart, busy);
  expect(busy.flushes).toBe(0);
  await turn();
  expect(busy.flushes).toBe(1);
});

test('a message that no input causes leaves at the end of the turn', async () => {
  const late = sender();
  depart(late);
  expect(late.flushes).toBe(0);
  await turn();
  expect(late.flushes).toBe(1);
});

test('a message that a flush causes leaves too', async () => {
  const second = sender();
  const first = { flushedAt: 0, flush: () => depart(second) };
  handleInput(depart, first);
  await turn();
  expect(second.flushes).toBe(1);
});

test('input that fails lets its messages leave', () => {
  const lone = sender();
  const fail = () => {
    depart(lone);
    throw new Error('broken');
  };
  expect(() => handleInput(fail)).toThrow('broken');
  expect(lone.flushes).toBe(1);
});
