import { SerialQueue } from '@a2c-smcp/core';

/** Where the values of inputs outlive the process. Implement it to keep them elsewhere. */
export interface InputStore {
  get(id: string): Promise<string | undefined>;
  set(id: string, value: string): Promise<void>;
  delete(id: string): Promise<void>;
  /**
   * Runs `work` while no other user of the store runs some for the same id, in any process. Computers renew tokens in it.
   * @default for stores of one process
   */
  exclusively?<T>(id: string, work: () => Promise<T>): Promise<T>;
}

/** Keeps values as long as the process lives. */
export function memoryStore(): InputStore {
  const values = new Map<string, string>();
  const queues = new Map<string, SerialQueue>();
  return {
    async get(id) {
      return values.get(id);
    },
    async set(id, value) {
      values.set(id, value);
    },
    async delete(id) {
      values.delete(id);
    },
    exclusively(id, work) {
      const queue = queues.get(id) ?? new SerialQueue();
      queues.set(id, queue);
      return queue.run(work);
    },
  };
}
