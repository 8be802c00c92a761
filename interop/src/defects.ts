import type { Cell } from './story/scene.ts';

/** Something that an official release does wrong, whoever is on the other end. */
export interface Defect {
  role: keyof Cell;
  /** Ids of kinds, as in `python-0.1.2` and `rust-0.4.1`. */
  kinds: readonly string[];
  /** The steps that fail because of it. */
  steps: readonly string[];
  reason: string;
  workaround: string;
  /** The script in `defects/` that shows it without our code. */
  evidence: string;
}

export const defects: readonly Defect[] = [
  {
    role: 'server',
    kinds: ['python-0.1.2'],
    steps: ['get_config'],
    reason: 'the Server does not route client:get_config and acknowledges it with nothing',
    workaround: 'Use our Server, or a release since 0.2. Our Agent throws at once instead of waiting.',
    evidence: 'get_config_not_routed.py',
  },
  {
    role: 'computer',
    kinds: ['python-0.1.2'],
    steps: ['tool_call: cancel'],
    reason: 'the Computer does not listen to notify:tool_call_cancel, so a cancelled tool runs on',
    workaround:
      'Give calls a short timeout. Our Agent returns at once when a call is cancelled, whatever the tool does.',
    evidence: 'cancel_ignored.py',
  },
  {
    role: 'computer',
    kinds: ['python-0.1.2', 'python-0.2.2'],
    steps: ['new tool listed'],
    reason: 'the Computer announces that its tools changed but goes on listing the old ones',
    workaround: 'Restart the Computer after its MCP servers got new tools.',
    evidence: 'new_tools_missing.py',
  },
  {
    role: 'agent',
    kinds: ['rust-0.4.1'],
    steps: ['wrong key refused'],
    reason: 'the Agent is told that it is connected, and never that its key was refused',
    workaround: 'Take an error of `join_office`, or a `list_room` that is not answered, for a refusal.',
    evidence: 'refusal_unheard.rs',
  },
  {
    role: 'server',
    kinds: ['rust-0.4.1'],
    steps: ['tool_call: six seconds'],
    reason: 'the Server forgets a call after five seconds, whatever its timeout, and acknowledges nothing',
    workaround: 'Use our Server for tools that take longer. Our Agent throws when the time of the call is over.',
    evidence: 'slow_tool_lost.rs',
  },
];

/** The defect that explains why a step fails in a cell. */
export function explain(cell: Cell, step: string): Defect | undefined {
  return defects.find(({ role, kinds, steps }) => steps.includes(step) && kinds.includes(cell[role].id));
}
