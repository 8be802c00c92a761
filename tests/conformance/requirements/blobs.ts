import type { Requirement } from './requirement.ts';

/** Bytes beside the results: offload, drain and upload. */
export const blobs = {
  'blob.drain': {
    source: 'blobs.md#drain',
    rule:
      'An Agent fetches the bytes of every item with `a2c_blob_handle`, puts them back as base64, ' +
      'and removes the `a2c_` keys before its caller sees the result.',
    obeys: ['agent'],
    done: true,
  },
  'blob.drain.order': {
    source: 'blobs.md#drain',
    rule: 'Draining keeps the order of the items and everything else in them.',
    obeys: ['agent'],
    done: true,
  },
  'blob.part-size': {
    source: 'blobs.md#parts',
    rule: 'An Agent asks for parts whose base64 fits into a message of the Server.',
    obeys: ['agent'],
    done: true,
  },
  'blob.drift': {
    source: 'blobs.md#drain',
    rule: 'An Agent that sees another `total_size` or `sha256` than before begins anew, at most twice.',
    obeys: ['agent'],
    done: true,
  },
  'blob.missing': {
    source: 'blobs.md#drain',
    rule: 'An item whose bytes cannot be fetched becomes a text that says what is missing and why, with the handle in `_meta`.',
    obeys: ['agent'],
    done: true,
  },
  'blob.cap': {
    source: 'blobs.md#drain',
    rule: 'An Agent fetches no more bytes for one result than it allows.',
    obeys: ['agent'],
    done: true,
  },
  'blob.copies': {
    source: 'blobs.md#copies',
    rule: 'An Agent puts the bytes back at the places of `structuredContent` that `a2c_copies` names and that are empty.',
    obeys: ['agent'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
