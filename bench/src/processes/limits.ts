/** One process plays thousands of peers here, and one Agent more than it would be let. */
export const benchLimits = {
  connections: 200_000,
  connectionsPerAddress: 200_000,
  handshakesPerSecond: 1e9,
  membersPerOffice: 100_000,
  callsPerAgent: 100_000,
  eventsPerSecond: 1e9,
  backlogBytes: 1e9,
};
