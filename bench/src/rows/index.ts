import type { Section } from '../report/result.ts';
import { nodes } from './nodes.ts';
import { python } from './python.ts';
import { clients, relay } from './relay.ts';

/** Everything that is measured, in this order. */
export const sections: Record<string, () => Promise<Section>> = { relay, clients, python, nodes };
