import { agentMutants, documentMutants } from './mutants/agent.ts';
import { computerMutants } from './mutants/computer.ts';
import { fileMutants } from './mutants/files.ts';
import type { Mutant } from './mutants/mutant.ts';
import { peopleMutants } from './mutants/people.ts';
import { protocolMutants } from './mutants/protocol.ts';
import { serverMutants } from './mutants/server.ts';
import { viewMutants } from './mutants/views.ts';

/** One change per rule or more, each of which the tests that cite the rule must notice. `npm run mutate` tries them. */
export const mutants: readonly Mutant[] = [
  ...protocolMutants,
  ...serverMutants,
  ...computerMutants,
  ...viewMutants,
  ...peopleMutants,
  ...fileMutants,
  ...agentMutants,
  ...documentMutants,
];
