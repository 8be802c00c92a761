import { describe, expect, test } from 'vitest';
import { eventually } from '../../../tests/eventually.ts';
import { RefreshQueue } from './office-view.ts';

type Topic = 'tools' | 'desktop';

/** A queue whose fetches end at the command of the test. */
function openQueue() {
  const fetched: Topic[] = [];
  const endings: (() => void)[] = [];
  const queue = new RefreshQueue<Topic>(
    topic => {
      fetched.push(topic);
      return new Promise(resolve => endings.push(resolve));
    },
    { interval: 0 },
  );
  const endNext = async (count: number) => {
    await eventually(() => expect(fetched).toHaveLength(count));
    endings[count - 1]?.();
  };
  return { queue, fetched, endNext };
}

describe('the queue of refreshes', () => {
  test('a topic that is requested several times before its turn is fetched once', async () => {
    const { queue, fetched, endNext } = openQueue();
    queue.request(['tools']);
    queue.request(['desktop']);
    queue.request(['desktop']);
    const idle = queue.request(['desktop']);
    await endNext(1);
    await endNext(2);
    await idle;
    expect(fetched).toEqual(['tools', 'desktop']);
  });

  test('a topic that is requested during its fetch is fetched again', async () => {
    const { queue, fetched, endNext } = openQueue();
    queue.request(['tools']);
    await eventually(() => expect(fetched).toHaveLength(1));
    const again = queue.request(['tools']);
    await endNext(1);
    await endNext(2);
    await again;
    expect(fetched).toEqual(['tools', 'tools']);
  });

  test('fetches of one queue never overlap', async () => {
    const { queue, fetched, endNext } = openQueue();
    const idle = queue.request(['tools', 'desktop']);
    await eventually(() => expect(fetched).toHaveLength(1));
    await new Promise(resolve => setTimeout(resolve));
    expect(fetched).toEqual(['tools']);
    await endNext(1);
    await endNext(2);
    await idle;
  });

  test('a request without topics leaves the queue idle', async () => {
    const { queue, fetched, endNext } = openQueue();
    queue.request([]);
    const idle = queue.request(['tools']);
    await endNext(1);
    await idle;
    expect(fetched).toEqual(['tools']);
  });

  test('a closed queue fetches nothing more', async () => {
    const { queue, fetched, endNext } = openQueue();
    const idle = queue.request(['tools', 'desktop']);
    await eventually(() => expect(fetched).toHaveLength(1));
    queue.close();
    await endNext(1);
    await idle;
    await queue.request(['tools']);
    expect(fetched).toEqual(['tools']);
  });

  test('a topic is fetched at most once per interval', async () => {
    const times: number[] = [];
    const queue = new RefreshQueue<Topic>(async () => void times.push(performance.now()), { interval: 50 });
    await queue.request(['tools']);
    await queue.request(['tools']);
    // Timers may fire a millisecond early.
    expect(Number(times[1]) - Number(times[0])).toBeGreaterThanOrEqual(45);
  });
});
