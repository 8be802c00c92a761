import type { Section } from '../report/result.ts';
import { connections } from './connections.ts';
import { desktop } from './desktop.ts';
import { faults } from './faults.ts';
import { finder } from './finder.ts';
import { path } from './path.ts';
import { clients, relay } from './relay.ts';

/** Everything that is measured, in this order. */
export const sections: Record<string, () => Promise<Section>> = {
  relay,
  clients,
  path,
  connections,
  desktop,
  finder,
  faults,
};
