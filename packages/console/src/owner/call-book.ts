import type { CallToolResult, Computer, ToolCallRecord } from '@a2c-smcp/computer';
import { sizeOf } from '@a2c-smcp/core';
import type { CallDetails, CallList, CallRow } from './types.ts';

const MAX_CALLS = 500;
/** Characters of all results that are kept, and of a single one. */
const MAX_RESULTS_LENGTH = 64 * 1024 * 1024;
const MAX_RESULT_LENGTH = 16 * 1024 * 1024;

interface EndedCall {
  id: number;
  record: ToolCallRecord;
  result: CallToolResult | undefined;
  size: number;
}

/** The last calls with their results. */
export class CallBook {
  readonly #computer: Computer;
  #ended: EndedCall[];
  #size = 0;

  constructor(computer: Computer, onEnded: (call: CallRow) => void, signal: AbortSignal) {
    this.#computer = computer;
    // Calls from before the console have no result here. Their numbers must not be those of others.
    this.#ended = computer.history.map((record, index) => ({ id: -1 - index, record, result: undefined, size: 0 }));
    computer.on(
      'callEnded',
      ({ call: { id }, record, result }) => {
        const ended = this.#add(id, record, result);
        onEnded(rowOf(ended));
      },
      { signal },
    );
  }

  get list(): CallList {
    return { pending: this.#computer.pendingCalls, ended: this.#ended.map(rowOf) };
  }

  find(id: number): CallDetails | undefined {
    const pending = this.#computer.pendingCalls.find(call => call.id === id);
    if (pending) return { pending };
    const ended = this.#ended.find(call => call.id === id);
    return ended && { record: { ...ended.record, id }, result: ended.result };
  }

  #add(id: number, record: ToolCallRecord, result: CallToolResult): EndedCall {
    const size = lengthOf(result);
    const isKept = size <= MAX_RESULT_LENGTH;
    const ended = { id, record, result: isKept ? result : undefined, size: isKept ? size : 0 };
    this.#ended.push(ended);
    this.#size += ended.size;
    while (this.#ended.length > MAX_CALLS || this.#size > MAX_RESULTS_LENGTH) {
      this.#size -= this.#ended.shift()?.size ?? 0;
    }
    return ended;
  }
}

/** Functions of this process may return values that cannot be measured, nor sent. */
function lengthOf(result: CallToolResult): number {
  try {
    return sizeOf(result);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function rowOf({ id, record }: EndedCall): CallRow {
  const { parameters: _, error, ...row } = record;
  return { ...row, id, ...(error === null ? {} : { error: error.slice(0, 300) }) };
}
