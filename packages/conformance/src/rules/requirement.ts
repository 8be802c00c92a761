/** One rule of the protocol, as data that tests cite by its id. */
export interface Requirement {
  /** The page and heading of `docs/protocol` that states the rule, as in `offices.md#join`. */
  readonly source: `${string}.md#${string}`;
  /** The rule in one English sentence. */
  readonly rule: string;
  /** The role that must obey it. */
  readonly obeys: readonly Party[];
  /** Set once a test cites the rule; the coverage test then insists on it. */
  readonly done?: true;
}

/** A part of the system that a rule binds. */
export type Party = 'protocol' | 'agent' | 'server' | 'computer' | 'mcp server';
