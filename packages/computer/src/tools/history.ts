import { clip } from '@a2c-smcp/core';
import { sizeOf } from '../size-of.ts';

/** One attempt to call a tool, successful or not. The protocol documents define the names of its fields. */
export interface ToolCallRecord {
  /** ISO 8601. */
  timestamp: string;
  req_id: string;
  /** The MCP server, or empty when no server has the tool. */
  server: string;
  /** The name the Agent used. */
  tool: string;
  /** Empty when they take more than 16 KiB. */
  parameters: Record<string, unknown>;
  /** In seconds, as the Agent gave it. */
  timeout: number | null;
  success: boolean;
  /** The text of the result, when the call failed. */
  error: string | null;
}

const MAX_RECORDS = 100;
/** Characters of the parameters, the error and a name. Agents and tools choose them. */
const MAX_PARAMETERS_LENGTH = 16 * 1024;
const MAX_ERROR_LENGTH = 2000;
const MAX_NAME_LENGTH = 256;

/** The last calls, oldest first. Desktop and Finder show what belongs to lately used servers first. */
export class History {
  readonly #records: ToolCallRecord[] = [];

  get records(): readonly ToolCallRecord[] {
    return this.#records.slice(-MAX_RECORDS);
  }

  /** The servers whose tools were called, oldest call first, as the organisers take them. */
  get servers(): string[] {
    return this.records.map(({ server }) => server).filter(server => server !== '');
  }

  add(record: ToolCallRecord): void {
    const { tool, parameters, error } = record;
    this.#records.push({
      ...record,
      tool: clip(tool, MAX_NAME_LENGTH),
      parameters: sizeOf(parameters) > MAX_PARAMETERS_LENGTH ? {} : parameters,
      error: error === null ? null : clip(error, MAX_ERROR_LENGTH),
    });
    // Many at a time, since each removal moves all that remain.
    if (this.#records.length >= 2 * MAX_RECORDS) this.#records.splice(0, MAX_RECORDS);
  }
}
