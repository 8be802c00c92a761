import type { Release } from './peers/python.ts';

const later = ['desktop', 'resources', 'skills'] as const;

/** The newest release of each line of the official Python package. Each has its requirements in `requirements/`. */
export const releases: readonly Release[] = [
  { version: '0.1.2', knows: ['desktop'] },
  { version: '0.2.2', protocolVersion: '0.2.0', knows: later },
  { version: '0.3.3', protocolVersion: '0.3.1', knows: later },
  { version: '0.4.2', protocolVersion: '0.4.0', knows: later },
];
