import type { Requirement } from './requirement.ts';

/** Reading resources through a Computer. */
export const resources = {
  'get-resources.page': {
    source: 'documents.md#resources',
    rule:
      '`client:get_resources` passes on one page of `resources/list` with its ' +
      'resources verbatim, takes `cursor` and returns `next_cursor`.',
    obeys: ['computer'],
    done: true,
  },
  'get-resources.errors': {
    source: 'documents.md#resources',
    rule:
      'An unregistered MCP server gives 4014 and one without the needed capability 4015 with ' +
      '`capability`, both with the name as `mcp_server` and as `mcp_server_name`.',
    obeys: ['computer'],
    done: true,
  },
  'get-dpe.route': {
    source: 'documents.md#reading',
    rule:
      '`client:get_dpe` validates the URI, finds the MCP server by its host and ' +
      'returns the MCP contents verbatim; an invalid URI gives 4204.',
    obeys: ['computer'],
    done: true,
  },
  'get-dpe.host': {
    source: 'documents.md#reading',
    rule:
      'An unknown host gives 4201, and of several MCP servers with the host the first that lists the document is read, ' +
      'or else the first of all.',
    obeys: ['computer'],
    done: true,
  },
  'get-dpe.untouched': {
    source: 'documents.md#reading',
    rule: 'The MCP server receives the URI with its query exactly as the Agent sent it.',
    obeys: ['computer'],
    done: true,
  },
  'get-dpe.errors': {
    source: 'documents.md#reading',
    rule:
      'An upstream code from 4201 to 4203 is passed on with its data as `details`, -32002 becomes ' +
      '4201, 4202 or 4203 by the level of the URI, and anything else 500.',
    obeys: ['computer'],
    done: true,
  },
  'read-resource.server': {
    source: 'documents.md#resources',
    rule:
      '`client:read_resource` reads a URI of any scheme from the server named by `mcp_server`, else ' +
      'from the one whose list holds the URI or whose template matches it.',
    obeys: ['computer'],
    done: true,
  },
  'read-resource.errors': {
    source: 'documents.md#resources',
    rule:
      '`client:read_resource` gives 4014 for an unknown `mcp_server`, 4015 for one ' +
      'without resources, and 404 for a URI that no server has.',
    obeys: ['computer'],
    done: true,
  },
  'gate.relaxed': {
    source: 'desktop.md#publishing',
    rule: '`requireSubscribe: false` on an MCP server lifts the `resources.subscribe` gate for that server.',
    obeys: ['computer'],
    done: true,
  },
  'navigate.helpers': {
    source: 'documents.md#reading',
    rule:
      'The helpers of the Agent read a document, its pages with `depth=pages`, `offset` and `limit`, ' +
      'one page with `format`, and one element, each by the URI of its level.',
    obeys: ['agent'],
    done: true,
  },
  'navigate.lenient': {
    source: 'documents.md#reading',
    rule:
      'The helpers of the Agent fill in missing or null fields of documents and pages that the URI tells or that may be ' +
      'empty, and refuse only what they cannot know: `page_count` of a document, `element_id`, `category` and `content`.',
    obeys: ['agent'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
