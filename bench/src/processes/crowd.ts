import type { WebSocket } from 'ws';
import { obey, settings } from './obey.ts';
import { type Identity, joinThin } from './thin-peer.ts';

export interface JoinRequest {
  /** How many peers join. The answer is how many milliseconds it took until all were in. */
  join: number;
  /** Two are an Agent and a Computer; more are Computers. */
  perOffice: number;
  /** How many are on their way at the same time. */
  atOnce: number;
}

/** `broadcast` is answered with the milliseconds until a signal of one of the last that joined has reached the others. */
export type CrowdRequest = JoinRequest | 'broadcast';

const NOTIFICATION = '42/smcp,["notify:update_tool_list"';

const { url } = settings<{ url: string }>();
let joins = 0;
let members: WebSocket[] = [];

obey('ready', (request: CrowdRequest) => (request === 'broadcast' ? broadcast() : join(request)));

async function join({ join: count, perOffice, atOnce }: JoinRequest): Promise<number> {
  const round = ++joins;
  const started = performance.now();
  members = [];
  for (let first = 0; first < count; first += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, count - first) }, (_, n) => identify(first + n));
    members.push(...(await Promise.all(batch.map(identity => joinThin(url, identity)))));
  }
  return performance.now() - started;

  function identify(n: number): Identity {
    const role = perOffice === 2 && n % 2 === 1 ? 'agent' : 'computer';
    return { role, name: `${role}-${round}-${n}`, office: `office-${round}-${Math.floor(n / perOffice)}` };
  }
}

function broadcast(): Promise<number> {
  const [sender, ...others] = members;
  let waiting = others.length;
  return new Promise(resolve => {
    const started = performance.now();
    for (const member of others) {
      const hear = (data: Buffer) => {
        if (!data.toString('latin1', 0, NOTIFICATION.length).startsWith(NOTIFICATION)) return;
        member.off('message', hear);
        waiting -= 1;
        if (waiting === 0) resolve(performance.now() - started);
      };
      member.on('message', hear);
    }
    sender?.send(`42/smcp,["server:update_tool_list",{"computer":"computer-${joins}-0"}]`);
  });
}
