import type { Section } from '../report/result.ts';
import { ablation } from './ablation.ts';
import { bridge } from './bridge.ts';
import { computerStart } from './computer-start.ts';
import { connections } from './connections.ts';
import { desktop } from './desktop.ts';
import { documents } from './documents.ts';
import { faults } from './faults.ts';
import { finder } from './finder.ts';
import { nodes } from './nodes.ts';
import { operators } from './operators.ts';
import { path } from './path.ts';
import { python } from './python.ts';
import { clients, relay } from './relay.ts';
import { rust } from './rust.ts';
import { scale } from './scale.ts';
import { workers } from './workers.ts';

/** Everything that is measured, in this order. */
export const sections: Record<string, () => Promise<Section>> = {
  relay,
  clients,
  python,
  rust,
  path,
  bridge,
  connections,
  'computer-start': computerStart,
  desktop,
  finder,
  documents,
  faults,
  nodes,
  workers,
};

/** Measured only when they are asked for: they take minutes each, and `scale` much of the machine. */
export const onRequest: Record<string, () => Promise<Section>> = { operators, ablation, scale };
