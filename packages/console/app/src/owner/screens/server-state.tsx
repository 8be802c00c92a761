import type { ServerRow } from '../../../../src/owner/types.ts';
import { Badge, type Tone } from '../../components/basics.tsx';
import { strings } from '../../strings.ts';

const TONES: Record<ServerRow['state'], Tone> = {
  starting: 'warn',
  ready: 'ok',
  asleep: 'plain',
  failed: 'danger',
  stopped: 'plain',
  disabled: 'plain',
};

/** Its state; that of its sign-in where it waits for a person. */
export function ServerState({ state, auth }: Pick<ServerRow, 'state' | 'auth'>) {
  const t = strings.value;
  if (state === 'failed' && (auth === 'sign-in-needed' || auth === 'signing-in')) {
    return <Badge tone="warn">{t.signIn.states[auth]}</Badge>;
  }
  return <Badge tone={TONES[state]}>{t.serverState[state]}</Badge>;
}
