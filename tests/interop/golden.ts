import { readdirSync, readFileSync } from 'node:fs';
import type { Recording } from '../../interop/src/record.ts';

export type { Frame, Recording } from '../../interop/src/record.ts';

/** A packet in the namespace /smcp, taken apart. */
export interface Packet {
  /** `0` connect, `1` disconnect, `2` event, `3` acknowledgement. */
  type: string;
  id: string;
  data: unknown;
}

export type Side = 'clients' | 'server';

const folder = new URL('../../interop/fixtures/', import.meta.url);

/** A recording, with the name of the release as in `python-0.1.2`. */
export type Golden = Recording & { name: string };

/** The recordings of all releases: of their clients with our Server, or of their Server with our clients. */
export function recordings(side: Side): Golden[] {
  const ending = `-${side}.json`;
  const files = readdirSync(folder).filter(file => file.endsWith(ending));
  return files.map(file => ({
    ...JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
    name: file.slice(0, -ending.length),
  }));
}

export function parse(packet: string): Packet {
  const [, type = '', id = '', data = ''] = /^4(\d)\/smcp,(\d*)(.*)$/s.exec(packet) ?? [];
  return { type, id, data: data === '' ? undefined : JSON.parse(data) };
}

export function format({ type, id, data }: Packet): string {
  return `4${type}/smcp,${id}${data === undefined ? '' : JSON.stringify(data)}`;
}

/** Data in which the ids that a Server makes up are the same everywhere. */
export function withoutSids(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data ?? null), (key, value) => {
    // The official Servers do not name sessions.
    if (key === 'session_id') return undefined;
    return key === 'sid' ? 'SID' : value;
  });
}
