import type { OfficeAgent } from '../office-agent.ts';

/** Bridges of another version do not share a seat. */
export const SEAT_PROTOCOL = 5;

/** The requests that a bridge may send to the bridge that holds the seat. */
export const SEAT_METHODS = [
  'members',
  'callTool',
  'getDesktop',
  'getFinder',
  'searchDocuments',
  'readPages',
  'readPage',
  'readElement',
  'getPrompts',
  'getPrompt',
] as const satisfies (keyof OfficeAgent)[];
export type SeatMethod = (typeof SEAT_METHODS)[number];

/** The events that the holder of the seat passes on. */
export const SEAT_EVENTS = ['enter', 'leave', 'tools', 'changed', 'connection'] as const;
export type SeatEvent = (typeof SEAT_EVENTS)[number];
