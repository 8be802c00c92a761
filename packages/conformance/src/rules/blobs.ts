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
  'blob.offload': {
    source: 'blobs.md#offload',
    rule: 'A Computer offloads images, audio and embedded blobs above 1 MiB of decoded bytes for an Agent of 0.3 or later, and never a text.',
    obeys: ['computer'],
    done: true,
  },
  'blob.offload.keys': {
    source: 'blobs.md#offload',
    rule: 'An offloaded item has the empty text in its field, and `a2c_blob_handle`, `a2c_total_size` and `a2c_sha256` in its `_meta`.',
    obeys: ['computer'],
    done: true,
  },
  'blob.offload.fit': {
    source: 'blobs.md#offload',
    rule: 'A result that does not fit into a message of the Server loses its largest items to handles until it does.',
    obeys: ['computer'],
    done: true,
  },
  'blob.offload.note': {
    source: 'blobs.md#offload',
    rule: 'An Agent before 0.3 gets a text beside an offloaded item.',
    obeys: ['computer'],
    done: true,
  },
  'blob.offload.earlier': {
    source: 'blobs.md#offload',
    rule: 'Images, audio and files of a result above 4 MiB are offloaded for an Agent before 0.3; text is not.',
    obeys: ['computer'],
    done: true,
  },
  'blob.offload.copies': {
    source: 'blobs.md#copies',
    rule: 'The text of an offloaded item is also taken out of `structuredContent`, and `a2c_copies` lists the places as JSON Pointers.',
    obeys: ['computer'],
    done: true,
  },
  'blob.forged': {
    source: 'blobs.md#offload',
    rule: 'A Computer drops `a2c_blob_handle` and its like from the items of an MCP server.',
    obeys: ['computer'],
    done: true,
  },
  'blob.parts': {
    source: 'blobs.md#parts',
    rule: 'A part has at most 256 KiB and at most `max_chunk_bytes`, and `eof` exactly when it reaches `total_size`.',
    obeys: ['computer'],
    done: true,
  },
  'blob.parts.any-order': {
    source: 'blobs.md#parts',
    rule: 'Parts may be asked for in any order, twice and in parallel, and at the end an empty one.',
    obeys: ['computer'],
    done: true,
  },
  'blob.parts.fit': {
    source: 'blobs.md#parts',
    rule: 'A part always fits into a message of the Server.',
    obeys: ['computer'],
    done: true,
  },
  'blob.errors': {
    source: 'blobs.md#handles',
    rule: 'A handle that cannot be read is 4018 with the reason `invalid_handle`, `forbidden`, `gone` or `range`.',
    obeys: ['computer'],
    done: true,
  },
  'blob.handles.owner': {
    source: 'blobs.md#handles',
    rule: 'Handles belong to one Agent session in one office and are dropped with it.',
    obeys: ['computer'],
    done: true,
  },
  'blob.handles.limits': {
    source: 'blobs.md#handles',
    rule: 'Handles are dropped after a time and when newer bytes need the room, and are `gone` then.',
    obeys: ['computer'],
    done: true,
  },
  'upload.parts': {
    source: 'blobs.md#upload',
    rule: 'An Agent sends a file part by part, with `total_size`, `sha256` and `name_hint` in the first one, and the Computer answers the last one with `landing_path`, `total_size` and the sum it computed.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'upload.landed': {
    source: 'blobs.md#landed-files',
    rule: 'A landed file has a folder of its own, private modes, and the letters of every script and the extension of its `name_hint`.',
    obeys: ['computer'],
    done: true,
  },
  'upload.errors': {
    source: 'blobs.md#upload',
    rule: 'A refused part is 4019 with a reason, and one that is malformed changes nothing.',
    obeys: ['computer'],
    done: true,
  },
  'upload.range': {
    source: 'blobs.md#upload',
    rule: 'A part in the wrong place leaves the upload as it is, and one that is too long or ends it too early drops it.',
    obeys: ['computer'],
    done: true,
  },
  'upload.slots': {
    source: 'blobs.md#upload',
    rule: 'An upload counts as unfinished only when its first part is written, and no more than a number of them at once.',
    obeys: ['computer'],
    done: true,
  },
  'upload.expiry': {
    source: 'blobs.md#upload',
    rule: 'A Computer drops an upload without a new part by itself.',
    obeys: ['computer'],
    done: true,
  },
  'upload.owner': {
    source: 'blobs.md#upload',
    rule: 'An upload belongs to one Agent session in one office and is dropped with it.',
    obeys: ['computer'],
    done: true,
  },
  'upload.given-up': {
    source: 'blobs.md#upload',
    rule: 'An Agent that gives up sends an empty last part, which drops the upload.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'upload.landed.life': {
    source: 'blobs.md#landed-files',
    rule: 'A landed file stays when its Agent leaves and is deleted when the Computer stops.',
    obeys: ['computer'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
