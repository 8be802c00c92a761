import type { RequirementId } from '@a2c-smcp/conformance/rules';
import type { Cell } from './story/scene.ts';

/** A fault of an official release with any peer. */
export interface Defect {
  role: keyof Cell;
  /** Ids of kinds, as in `python-0.1.2` and `rust-0.4.1`. */
  kinds: readonly string[];
  /** The steps that fail because of it. */
  steps: readonly string[];
  /** It shows only with these in other roles; `official` is every one but ours. */
  with?: Partial<Record<keyof Cell, readonly string[]>>;
  /** It shows in some runs and not in others, being a matter of moments. */
  sometimes?: boolean;
  reason: string;
  workaround: string;
  /** The script in `defects/` that shows it without our code. */
  evidence: string;
  /** The rule by which the conformance kit finds it. */
  rule: RequirementId;
}

export const defects: readonly Defect[] = [
  {
    role: 'server',
    kinds: ['python-0.1.2'],
    steps: ['get_config', 'get_config: pickString'],
    reason: 'the Server does not route client:get_config and acknowledges it with nothing',
    workaround: 'Use our Server, or a release since 0.2. Our Agent throws at once instead of waiting.',
    evidence: 'get_config_not_routed.py',
    rule: 'event.client.get-config',
  },
  {
    role: 'computer',
    kinds: ['python-0.1.2'],
    steps: ['tool_call: cancel'],
    reason: 'the Computer does not listen to notify:tool_call_cancel, so a cancelled tool runs on',
    workaround:
      'Give calls a short timeout. Our Agent returns at once when a call is cancelled, whatever the tool does.',
    evidence: 'cancel_ignored.py',
    rule: 'cancel.result',
  },
  {
    role: 'computer',
    kinds: ['python-0.1.2', 'python-0.2.2'],
    steps: ['new tool listed'],
    reason: 'the Computer announces that its tools changed but goes on listing the old ones',
    workaround: 'Restart the Computer after its MCP servers got new tools.',
    evidence: 'new_tools_missing.py',
    rule: 'lifecycle.update',
  },
  {
    role: 'computer',
    kinds: ['python-0.2.2', 'python-0.3.3', 'python-0.4.2'],
    with: { server: ['official'] },
    steps: ['tool_call: typed image of 900,000 bytes'],
    reason:
      'the Computer takes a large image out of a result but leaves its copy in `structuredContent`, and the Server closes the connection that sends more than 1,000,000 bytes',
    workaround: 'Use our Server, which takes larger messages, or a tool without an output schema.',
    evidence: 'typed_result_too_large.py',
    rule: 'blob.offload.fit',
  },
  {
    role: 'computer',
    kinds: ['python-0.2.2', 'python-0.3.3', 'python-0.4.2'],
    steps: ['image of 50,000,000 bytes'],
    sometimes: true,
    reason:
      'the Computer reads a result of an MCP server over stdio in a time that grows with the square of its size, on a busy machine longer than the 60 s of a call',
    workaround: 'Give calls with large results a longer `timeout`, or pass such bytes on as files.',
    evidence: 'large_result_slow.py',
    rule: 'exec.time',
  },
  {
    role: 'computer',
    kinds: ['python-0.4.2'],
    steps: ['upload: Chinese name'],
    reason:
      'the Computer drops letters outside of ASCII from the name of an uploaded file, and with them the dot before its ending',
    workaround: 'Give files names with a letter of ASCII before the dot.',
    evidence: 'upload_name_lost.py',
    rule: 'upload.landed',
  },
  {
    role: 'computer',
    kinds: ['rust-0.4.1'],
    steps: ['upload: Chinese name'],
    reason:
      'the Computer drops letters outside of ASCII from the name of an uploaded file, and with them the dot before its ending',
    workaround: 'Give files names with a letter of ASCII before the dot.',
    evidence: 'upload_name_lost.rs',
    rule: 'upload.landed',
  },
  {
    role: 'computer',
    kinds: ['rust-0.4.1'],
    steps: ['get_tools: return_schema'],
    reason: 'the Computer lists every tool without the schema of its result',
    workaround: 'Do not rely on `return_schema`; `structuredContent` comes all the same.',
    evidence: 'return_schema_missing.rs',
    rule: 'tools.fields',
  },
  {
    role: 'computer',
    kinds: ['rust-0.4.1'],
    with: { agent: ['official'] },
    steps: ['get_config: pickString'],
    reason: 'the Computer spells the types of inputs with a capital letter: `PickString` instead of `pickString`',
    workaround: 'Compare types in any letter case. Our Agent reads them as the protocol spells them.',
    evidence: 'input_types_capital.rs',
    rule: 'struct.input.pick-string',
  },
  {
    role: 'agent',
    kinds: ['rust-0.4.1'],
    steps: ['wrong key refused'],
    reason: 'the Agent is told that it is connected, and never that its key was refused',
    workaround: 'Take an error of `join_office`, or a `list_room` that is not answered, for a refusal.',
    evidence: 'refusal_unheard.rs',
    rule: 'auth.refused',
  },
  {
    role: 'agent',
    kinds: ['rust-0.4.1'],
    steps: ['leave heard'],
    sometimes: true,
    reason:
      'the Agent waits for ever for an answer that does not come, also if its connection was lost, and hears nothing meanwhile',
    workaround:
      'Set `with_auto_fetch_tools(false)`, fetch tools in a task of your own, and limit every call with `tokio::time::timeout`.',
    evidence: 'agent_goes_deaf.rs',
    rule: 'ack.own-disconnect',
  },
  {
    role: 'agent',
    kinds: ['rust-0.4.1'],
    with: { computer: ['python-0.1.2', 'python-0.2.2'] },
    steps: [
      'enter heard, tools fetched',
      'get_tools with meta',
      'tool_call',
      'tool_call: tool fails',
      'tool_call: image',
      'get_tools: return_schema',
      'tool_call: images of 32,767 to 5,000,000 bytes',
      'tool_call: typed image of 200,000 bytes',
      'tool_call: typed image of 900,000 bytes',
      'get_blob: handle of 20 minutes',
      'tool_call: time-out',
      'tool_call: cancel',
      'update_desktop heard',
      'update_tool_list heard',
      'computer cut off and back',
    ],
    reason: 'the Agent cannot read tools without a `bundle_id`, which Computers have only since protocol 0.3',
    workaround: 'Give it Computers of ours, of Rust, or of Python since 0.3.',
    evidence: 'earlier_tools_unread.rs',
    rule: 'struct.smcp-tool',
  },
  {
    role: 'server',
    kinds: ['rust-0.4.1'],
    steps: ['tool_call: six seconds'],
    reason: 'the Server forgets a call after five seconds, whatever its timeout, and acknowledges nothing',
    workaround:
      'Use our Server for tools that take longer. With this one our Agent returns a failed result when the time is over.',
    evidence: 'slow_tool_lost.rs',
    rule: 'routing.timeout.tool-call',
  },
];

/** The story gives the Server a provider of its own because of it, so that no step fails. */
export const providerDefect: Defect = {
  role: 'server',
  kinds: ['python-0.1.2'],
  steps: [],
  reason: 'the provider that the Server brings along never sees a header and refuses every key',
  workaround: 'Give the Server a provider of your own.',
  evidence: 'default_auth.py',
  rule: 'auth.default-provider',
};

/** The defect that explains why a step fails in a cell. */
export function explain(cell: Cell, step: string): Defect | undefined {
  return defects.find(
    ({ role, kinds, steps, with: others = {} }) =>
      steps.includes(step) &&
      kinds.includes(cell[role].id) &&
      Object.entries(others).every(([other, ids]) => isOneOf(ids, cell[other as keyof Cell].id)),
  );
}

function isOneOf(ids: readonly string[], id: string): boolean {
  return ids.includes(id) || (ids.includes('official') && id !== 'ours');
}
