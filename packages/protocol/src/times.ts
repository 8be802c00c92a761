/**
 * All times of the wire. Every hop has a limit for the same request, and the one nearest to the tool fires first: its
 * error knows most, and it arrives while the others still wait. `docs/protocol` has the same as a table.
 */

/** Seconds that a request may ask for at most. */
export const MAX_TIMEOUT_S = 3600;

// A tool call brings its own limit, which the Computer keeps. Then the Agent gives up, and last the Server.

/** Milliseconds that a tool may run unless the Agent says otherwise. */
export const TOOL_TIMEOUT_MS = 60_000;
/** Milliseconds that an Agent waits on top of the limit of a tool call. */
export const AGENT_TOOL_SLACK_MS = 1000;
/** Milliseconds that a Server waits on top of it, for Agents that wait longer. */
export const SERVER_TOOL_SLACK_MS = 5000;

/** Milliseconds that an Agent waits for the Computer's own answer to a call that it has cancelled. */
export const CANCEL_GRACE_MS = 1000;

// Any other request: from the MCP server outwards each waits a little longer.

/** Milliseconds for one MCP server to list or read a window or a document, or to search, before it is left out. */
export const RESOURCE_TIMEOUT_MS = 5000;
/** Milliseconds for the documents of all MCP servers together. */
export const FINDER_TIMEOUT_MS = 15_000;
/** Milliseconds that a Computer waits for an MCP server that is starting. */
export const COMPUTER_TIMEOUT_MS = 25_000;
/** Milliseconds that a Server waits for a Computer. */
export const SERVER_TIMEOUT_MS = 30_000;
/** Milliseconds that an Agent waits for the Server. */
export const AGENT_TIMEOUT_MS = 35_000;

// Connections.

/** Milliseconds for one attempt to connect and join. */
export const JOIN_TIMEOUT_MS = 10_000;
/** Milliseconds that leaving and closing may take. */
export const LEAVE_TIMEOUT_MS = 2000;
/** Milliseconds between two heartbeats of a Server. */
export const PING_INTERVAL_MS = 25_000;
/** Milliseconds after a heartbeat by which a peer that has not answered counts as lost. */
export const PING_TIMEOUT_MS = 20_000;
/** Milliseconds that an Agent may be out of the office before a Computer cancels its pending calls. */
export const AGENT_ABSENCE_MS = 30_000;
/** Milliseconds that a Server waits for calls in flight when it closes. */
export const DRAIN_TIMEOUT_MS = 5000;
