import type { ServerKind } from '../processes/server.ts';
import { Participant, type ParticipantOptions } from './participant.ts';

/** As `a2c server` has it. Without it Node collects all garbage much more often in one process than in its equal. */
const HEAP = '--heap-growing-percent=300';

/** The native masking of WebSockets is part of our Server; other servers have it only if their author installs it. */
export function startServer(
  kind: ServerKind,
  more: object = {},
  { execArgv = [], env: moreEnv = {} }: ParticipantOptions = {},
): Promise<Participant> {
  const env: Record<string, string> = kind === 'ours' ? moreEnv : { ...moreEnv, WS_NO_BUFFER_UTIL: '1' };
  return Participant.start('server', { kind, ...more }, { env, execArgv: [HEAP, ...execArgv] });
}
