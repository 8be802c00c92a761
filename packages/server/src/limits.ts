/** What one peer may take from the others. All can be set; exceeding one costs the sender an error and nobody else. */
export interface Limits {
  /** Bytes of one message. A larger one is answered with 413. @default 16 MiB */
  messageBytes: number;
  /** Members of one office. @default 1,000 */
  membersPerOffice: number;
  /** Connections of all peers together. @default 10,000 */
  connections: number;
  /** Connections from one address. @default 100 */
  connectionsPerAddress: number;
  /** Calls of one Agent that wait for an answer. @default 256 */
  callsPerAgent: number;
  /** Events per second of one connection, saved up for at most one second. @default 1,000 */
  eventsPerSecond: number;
  /** Bytes that may wait for a peer that does not read them; then it is disconnected. @default 64 MiB */
  backlogBytes: number;
  /** Calls a Computer may leave without any answer; then it is disconnected. @default 1,000 */
  unansweredCalls: number;
}

export const defaultLimits: Limits = {
  messageBytes: 16 * 1024 * 1024,
  membersPerOffice: 1000,
  connections: 10_000,
  connectionsPerAddress: 100,
  callsPerAgent: 256,
  eventsPerSecond: 1000,
  backlogBytes: 64 * 1024 * 1024,
  unansweredCalls: 1000,
};
