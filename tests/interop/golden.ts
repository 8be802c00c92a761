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

/** The recordings of all releases: of their clients with our Server, or of their Server with our clients. */
export function recordings(side: Side): Recording[] {
  const files = readdirSync(folder).filter(name => name.endsWith(`-${side}.json`));
  return files.map(name => JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
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
  return JSON.parse(JSON.stringify(data ?? null), (key, value) => (key === 'sid' ? 'SID' : value));
}
