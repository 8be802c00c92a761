import { afterEach, expect, test, vi } from 'vitest';
import { EventReader } from './event-reader.ts';

afterEach(() => void vi.useRealTimers());

/** A response whose reader takes nothing until it is told to. */
function openWriter() {
  const writer = { written: '', writableLength: 0, isDestroyed: false, write: send, destroy };
  function send(text: string): void {
    writer.written += text;
    writer.writableLength += text.length;
  }
  function destroy(): void {
    writer.isDestroyed = true;
  }
  return writer;
}

test('an event is sent with its id, its topic and its value', () => {
  const writer = openWriter();
  new EventReader(writer).send('a-1', 'log:"x"', '[1]');
  expect(writer.written).toBe('id: a-1\ndata: {"topic":"log:\\"x\\"","value":[1]}\n\n');
});

test('a reader is behind with more than 256 KiB unread, and is disconnected after 30 s of that', () => {
  vi.useFakeTimers();
  const writer = openWriter();
  const reader = new EventReader(writer);
  writer.writableLength = 256 * 1024;
  expect(reader.isBehind()).toBe(false);
  writer.writableLength += 1;
  expect(reader.isBehind()).toBe(true);
  vi.advanceTimersByTime(29_000);
  expect([reader.isBehind(), writer.isDestroyed]).toEqual([true, false]);
  vi.advanceTimersByTime(2000);
  expect([reader.isBehind(), writer.isDestroyed]).toEqual([true, true]);
});

test('a reader that has caught up may be behind for 30 s again', () => {
  vi.useFakeTimers();
  const writer = openWriter();
  const reader = new EventReader(writer);
  writer.writableLength = 300 * 1024;
  reader.isBehind();
  vi.advanceTimersByTime(20_000);
  writer.writableLength = 0;
  expect(reader.isBehind()).toBe(false);
  vi.advanceTimersByTime(20_000);
  writer.writableLength = 300 * 1024;
  expect([reader.isBehind(), writer.isDestroyed]).toEqual([true, false]);
  vi.advanceTimersByTime(11_000);
  expect([reader.isBehind(), writer.isDestroyed]).toEqual([true, true]);
});
