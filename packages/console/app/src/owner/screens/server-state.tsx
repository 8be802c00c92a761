import type { McpServerState } from '@a2c-smcp/computer';
import { Badge, type Tone } from '../../components/basics.tsx';
import { strings } from '../../strings.ts';

const TONES: Record<McpServerState, Tone> = {
  starting: 'warn',
  ready: 'ok',
  failed: 'danger',
  stopped: 'plain',
  disabled: 'plain',
};

export function ServerState({ state }: { state: McpServerState }) {
  return <Badge tone={TONES[state]}>{strings.value.serverState[state]}</Badge>;
}
