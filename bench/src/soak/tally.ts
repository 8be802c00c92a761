/** The outcomes of the calls and peers of a soak. */
export interface Tally {
  calls: number;
  answered: number;
  /** Answered with an error, or the connection of the Agent was lost, which tells it as much. */
  refused: number;
  twice: number;
  /** Peers that came back after their connection was lost. */
  rejoined: number;
}

export const emptyTally = (): Tally => ({ calls: 0, answered: 0, refused: 0, twice: 0, rejoined: 0 });
