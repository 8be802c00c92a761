import type { Requirement } from './requirement.ts';

/** Extensions of the protocol by this project, and bounds where the documents are silent. */
export const extensions = {
  'names.legal': {
    source: 'offices.md#roles-and-names',
    rule: 'Names of members and ids of offices have 1 to 256 characters that are no control characters.',
    obeys: ['server'],
    done: true,
  },
  'office.size': {
    source: 'offices.md#roles-and-names',
    rule: 'A join is refused when the office has as many members as the Server allows, 1,000 unless it is told otherwise.',
    obeys: ['server'],
    done: true,
  },
  'calls.pending-limit': {
    source: 'offices.md#routing',
    rule: 'A request of an Agent with as many pending requests as the Server allows is answered with 429.',
    obeys: ['server'],
    done: true,
  },
  'forward.unknown': {
    source: 'offices.md#events-of-later-versions',
    rule:
      'The Server forwards `client:*` requests and `server:update_*` signals that it does not know like others, unless ' +
      '`forwardUnknown` is false.',
    obeys: ['server'],
    done: true,
  },
  'unknown.refused': {
    source: 'offices.md#events-of-later-versions',
    rule: 'A Computer answers a `client:*` request that it does not know at once with 400 and `details.reason` "unsupported".',
    obeys: ['computer'],
    done: true,
  },
  'cluster.one-server': {
    source: 'offices.md#several-nodes',
    rule: 'Members of an office may be connected to different nodes of a Server without any difference to them.',
    obeys: ['server'],
    done: true,
  },
  'calls.once': {
    source: 'tools.md#execution',
    rule:
      'A Computer executes a `req_id` at most once per Agent session: a repetition while it is pending or within 10 ' +
      'minutes of its end gets the result of the first execution.',
    obeys: ['computer'],
    done: true,
  },
  'result.tool-meta': {
    source: 'tools.md#results',
    rule: 'The `meta.a2c_tool_meta` of a CallToolResult is the merged ToolMeta of its tool as an object.',
    obeys: ['computer'],
    done: true,
  },
  'desktop.max-chars': {
    source: 'events.md#clientget_desktop',
    rule:
      '`max_chars` of GetDeskTopReq bounds the characters of all windows together: they are taken in order, the one that ' +
      'exceeds the bound is cut and says how much is missing, and none follows it.',
    obeys: ['computer'],
    done: true,
  },
  'search.tool': {
    source: 'documents.md#search',
    rule:
      'With `content` a Computer calls, of each MCP server with documents, the tool whose `_meta.document_search` is true, ' +
      'and only if the tool may run without a question.',
    obeys: ['computer'],
    done: true,
  },
  'search.hits': {
    source: 'documents.md#search',
    rule:
      'A hit is a page of a document in the catalogue of the same MCP server, and counts once; at most 50 hits of an MCP ' +
      'server are taken, with 300 characters of the title and 1000 of the passage.',
    obeys: ['computer'],
    done: true,
  },
  'search.filter': {
    source: 'documents.md#search',
    rule:
      '`keywords` and `file_type` keep the hits whose documents they keep, `offset` and `limit` page the hits, and ' +
      '`documents` are those of the hits on the page.',
    obeys: ['computer'],
    done: true,
  },
  'search.partial': {
    source: 'documents.md#search',
    rule:
      'An MCP server that cannot or may not search, fails, or does not answer within 5 s is named in `unsearched`, and ' +
      'delays no other beyond that.',
    obeys: ['computer'],
    done: true,
  },
  'search.rank': {
    source: 'documents.md#search',
    rule:
      'Hits are sorted by `share × 60 / (60 + rank)`: the share of the words that doc-ref, titles and passage mention, and ' +
      'the rank among the hits of the same MCP server.',
    obeys: ['computer', 'agent'],
    done: true,
  },
  'search.ignored': {
    source: 'documents.md#search',
    rule: 'An answer without `hits` is that of a Computer that cannot search, and fails no search on others.',
    obeys: ['agent'],
    done: true,
  },
  'search.mcp-server': {
    source: 'documents.md#search',
    rule:
      'The tool that searches documents takes `query`, `limit` and `file_type`, and its `structuredContent` has `hits` with ' +
      '`uri`, `title` and `passage`, the best first, and `pending`.',
    obeys: ['mcp server'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
