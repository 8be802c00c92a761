import type { Section } from '../report/result.ts';
import { path } from './path.ts';
import { clients, relay } from './relay.ts';

/** Everything that is measured, in this order. */
export const sections: Record<string, () => Promise<Section>> = { relay, clients, path };
