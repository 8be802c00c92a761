import type { Requirement } from './requirement.ts';

/** The catalogue of documents: organising, aggregation and change detection. */
export const finder = {
  'finder.filter.uri': {
    source: 'documents.md#organising',
    rule: 'A document whose URI is not a valid DPE URI is left out.',
    obeys: ['computer'],
    done: true,
  },
  'finder.keywords': {
    source: 'documents.md#organising',
    rule:
      'A document stays when any keyword occurs, in any letter case, in its ' +
      'title, its space-joined keywords or its summary.',
    obeys: ['computer'],
    done: true,
  },
  'finder.file-type': {
    source: 'documents.md#organising',
    rule:
      'A given `file_type` keeps the documents whose file type equals it exactly, and ' +
      'an empty one, like an empty keyword list, filters nothing.',
    obeys: ['computer'],
    done: true,
  },
  'finder.rank': {
    source: 'documents.md#organising',
    rule:
      'Documents are ordered by MCP server, the most recently used of the ' +
      'history first, then the others in alphabetical order.',
    obeys: ['computer'],
    done: true,
  },
  'finder.sort': {
    source: 'documents.md#organising',
    rule:
      'Within an MCP server documents are sorted by `last_modified` in descending ' +
      'order, those without it last, and ties keep their order.',
    obeys: ['computer'],
    done: true,
  },
  'finder.sort.timestamps': {
    source: 'documents.md#organising',
    rule: '`last_modified` values are compared as points in time, and as strings where one cannot be parsed.',
    obeys: ['computer'],
    done: true,
  },
  'finder.total': {
    source: 'documents.md#organising',
    rule: '`total_count` is the number of documents after filtering and before paging.',
    obeys: ['computer'],
    done: true,
  },
  'finder.page': {
    source: 'documents.md#organising',
    rule:
      'The answer is the slice from `offset`, 0 by default, of `limit` documents, ' +
      '20 by default; an offset past the end gives none, and an Agent leaves defaults out of its request.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'finder.page.limits': {
    source: 'documents.md#organising',
    rule:
      'A limit of 0 gives no documents, one above 100 counts as 100, and a ' +
      'negative offset or limit is answered with 400.',
    obeys: ['computer'],
    done: true,
  },
  'finder.gate': {
    source: 'documents.md#summaries',
    rule: 'Documents are collected from all list pages of those MCP servers alone that declare `resources.subscribe`.',
    obeys: ['computer'],
    done: true,
  },
  'finder.shadowed': {
    source: 'documents.md#summaries',
    rule:
      'A document whose URI an MCP server registered earlier lists too is left out with a warning, so that every listed ' +
      'document can be read.',
    obeys: ['computer'],
    done: true,
  },
  'finder.level-one': {
    source: 'documents.md#summaries',
    rule: 'Only level 1 resources become documents, while every dpe:// URI belongs to the set for change detection.',
    obeys: ['computer'],
    done: true,
  },
  'finder.summary.resource': {
    source: 'documents.md#summaries',
    rule:
      'A resource whose `_meta.page_count` is an integer is summarised without a read: name is the title, ' +
      'description the summary, and the rest comes from `_meta` and `annotations.lastModified`.',
    obeys: ['computer'],
    done: true,
  },
  'finder.summary.read': {
    source: 'documents.md#summaries',
    rule:
      'A document without `_meta.page_count` is summarised from a read of ' +
      'level 1, cached by URI until a notification invalidates it.',
    obeys: ['computer'],
    done: true,
  },
  'finder.summary.failure': {
    source: 'documents.md#summaries',
    rule: 'A document that cannot be read in time is left out and logged, and the call still succeeds.',
    obeys: ['computer'],
    done: true,
  },
  'finder.summary.fields': {
    source: 'documents.md#summaries',
    rule:
      'The Computer adds `server`, writes an unknown `file_uri` or `file_type` as the empty ' +
      'string, and keeps a document without a page count as 0 with a warning.',
    obeys: ['computer'],
    done: true,
  },
  'finder-change.list': {
    source: 'documents.md#changes',
    rule:
      'After a resource list change the Computer lists once and emits `server:update_finder` ' +
      'exactly when the dpe:// set of that MCP server differs from its cached one, or another number of its documents ' +
      'has 0 pages.',
    obeys: ['computer'],
    done: true,
  },
  'finder-change.updated': {
    source: 'documents.md#changes',
    rule:
      'A resource update of a dpe:// URI emits `server:update_finder` at once without ' +
      'comparing sets; an update of another scheme does not.',
    obeys: ['computer'],
    done: true,
  },
  'finder-change.named': {
    source: 'documents.md#changes',
    rule:
      '`uris` of `server:update_finder` has the level 1 URIs of the documents that changed, came or went, and is absent if ' +
      'any may have changed, or with more than 100 URIs or 4,096 characters of them.',
    obeys: ['computer', 'agent'],
    done: true,
  },
  'changes.equal': {
    source: 'desktop.md#changes',
    rule: 'A resource list change that leaves the window:// or dpe:// set as it was is logged at debug level.',
    obeys: ['computer'],
    done: true,
  },
  'changes.subscribe': {
    source: 'desktop.md#changes',
    rule:
      'The Computer subscribes to every window:// and dpe:// resource, by ' +
      '`resources/subscribe` or `subscriptions/listen` as the MCP revision has it.',
    obeys: ['computer'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
