import { describe, expect, test, vi } from 'vitest';
import { RefreshQueue } from './refresh-queue.ts';

type Topic = 'tools' | 'desktop';

/** A queue whose fetches end when the test says so. */
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
    await vi.waitFor(() => expect(fetched).toHaveLength(count));
    endings[count - 1]?.();
  };
  return { queue, fetched, endNext };
}

describe('the queue of refreshes', () => {
  test('fetches once what was asked for several times before its turn', async () => {
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

  test('fetches again what changed during its fetch', async () => {
    const { queue, fetched, endNext } = openQueue();
    queue.request(['tools']);
    const idle = queue.request(['tools']);
    await endNext(1);
    await endNext(2);
    await idle;
    expect(fetched).toEqual(['tools', 'tools']);
  });

  test('never runs two fetches at once', async () => {
    const { queue, fetched, endNext } = openQueue();
    const idle = queue.request(['tools', 'desktop']);
    expect(fetched).toEqual(['tools']);
    await endNext(1);
    await endNext(2);
    await idle;
  });

  test('starts anew after nothing was asked for', async () => {
    const { queue, fetched, endNext } = openQueue();
    queue.request([]);
    const idle = queue.request(['tools']);
    await endNext(1);
    await idle;
    expect(fetched).toEqual(['tools']);
  });

  test('fetches nothing more once it is closed', async () => {
    const { queue, fetched, endNext } = openQueue();
    const idle = queue.request(['tools', 'desktop']);
    queue.close();
    await endNext(1);
    await idle;
    await queue.request(['tools']);
    expect(fetched).toEqual(['tools']);
  });
});
