import { now } from './clock.ts';
import { obey, settings } from './obey.ts';
import { joinThin } from './thin-peer.ts';

/** Joins, and cuts its TCP connection the moment it is called. `join` and `lost` are answered with the time of it. */
export type FleetingRequest = 'join' | 'lost';

const { url } = settings<{ url: string }>();
let lost = Number.NaN;

obey('ready', (request: FleetingRequest) => (request === 'join' ? join() : lost));

async function join(): Promise<number> {
  const socket = await joinThin(url, { role: 'computer', name: 'fleeting', office: 'bench' });
  socket.on('message', (data: Buffer) => {
    if (!String(data).includes('client:tool_call')) return;
    lost = now();
    socket.terminate();
  });
  return now();
}
