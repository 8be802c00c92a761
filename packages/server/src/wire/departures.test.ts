import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { depart, handleInput, type Sender } from './ws.ts';

/** A sender that counts how often it was flushed. */
function sender() {
  const counted = {
    flushes: 0,
    flush() {
      counted.flushes += 1;
    },
  };
  return counted satisfies Sender;
}

const turn = () => new Promise(resolve => setImmediate(resolve));
/** Milliseconds of the clock; each test begins long after the one before, and after all real input of this process. */
let now = 0;

beforeEach(() => {
  now = Math.max(now, performance.now()) + 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('a message that input causes leaves behind the input, without waiting for the turn to end', () => {
  const lone = sender();
  handleInput(() => {
    depart(lone);
    expect(lone.flushes).toBe(0);
  });
  expect(lone.flushes).toBe(1);
});

test('messages of input that follows other input at once wait for the end of the turn', async () => {
  const [first, second, third] = [sender(), sender(), sender()];
  handleInput(depart, first);
  handleInput(depart, second);
  handleInput(depart, third);
  expect([first.flushes, second.flushes, third.flushes]).toEqual([1, 0, 0]);
  await turn();
  expect([first.flushes, second.flushes, third.flushes]).toEqual([1, 1, 1]);
});

test('a message of input that follows other input after a pause does not wait', () => {
  const [first, second] = [sender(), sender()];
  handleInput(depart, first);
  now += 0.03;
  handleInput(depart, second);
  expect([first.flushes, second.flushes]).toEqual([1, 1]);
});

test('a lone message does not wait, however soon its input follows other input', async () => {
  const [first, second, third] = [sender(), sender(), sender()];
  handleInput(depart, first);
  handleInput(depart, second, true);
  handleInput(depart, third);
  expect([first.flushes, second.flushes, third.flushes]).toEqual([1, 1, 0]);
  await turn();
  expect([first.flushes, second.flushes, third.flushes]).toEqual([1, 1, 1]);
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
  const first = { flush: () => depart(second) };
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
