import type { Requirement } from './requirement.ts';

/** Rules for an MCP server that publishes documents or windows. */
export const documents = {
  'mcp-server.capability': {
    source: 'desktop.md#publishing',
    rule: 'An MCP server that publishes window:// or dpe:// resources declares `resources.subscribe`.',
    obeys: ['mcp server'],
    done: true,
  },
  'mcp-server.notifies': {
    source: 'desktop.md#publishing',
    rule:
      'An MCP server sends a resource list change when its window:// or dpe:// resources ' +
      'come or go, and a resource update with the URI when one changes.',
    obeys: ['mcp server'],
    done: true,
  },
  'documents.catalogue': {
    source: 'documents.md#content',
    rule: 'Level 0 is JSON with `documents`, each a DPEDocumentSummary without `server`, and `total_count`.',
    obeys: ['mcp server'],
    done: true,
  },
  'documents.document': {
    source: 'documents.md#content',
    rule:
      'Level 1 is the metadata of the document, and with `depth=pages` also `pages`, `page_offset`, ' +
      '`page_limit` and `page_total`, from offset 0 and with limit 20 by default.',
    obeys: ['mcp server'],
    done: true,
  },
  'documents.page': {
    source: 'documents.md#content',
    rule:
      'Level 2 is JSON with `page_index`, `title`, `doc_ref`, `uri`, `elements` and `element_count`, ' +
      'which counts the elements returned after `categories` has filtered them.',
    obeys: ['mcp server'],
    done: true,
  },
  'documents.element': {
    source: 'documents.md#content',
    rule:
      'Level 3 is JSON with `element_id`, `category`, `doc_ref`, ' +
      '`page_index`, `uri`, `summary`, `content` and `metadata`.',
    obeys: ['mcp server'],
    done: true,
  },
  'documents.hash': {
    source: 'documents.md#changes',
    rule:
      'A page and its entry in the index may have a `hash`, which differs whenever the page does, and depends neither on ' +
      '`format` and `categories` nor on other pages.',
    obeys: ['mcp server'],
    done: true,
  },
  'navigate.known': {
    source: 'documents.md#changes',
    rule: 'An Agent that has read pages reads the index, and then those pages whose hash is another or missing.',
    obeys: ['agent'],
    done: true,
  },
  'documents.content': {
    source: 'documents.md#content',
    rule:
      'Content is heading{level,text}, text{text}, table{headers,rows}, ' +
      'chart{chart_type,title,data_summary}, list{ordered,items}, code{language?,text}, ' +
      'image{alt,url or description}, link{text,url} or formula{expression}.',
    obeys: ['mcp server'],
    done: true,
  },
  'documents.markdown': {
    source: 'documents.md#content',
    rule:
      'Markdown shows heading, text, table, list, code, chart, image, link and formula in their ' +
      'own notation and every other category as `[category: summary]`.',
    obeys: ['mcp server'],
    done: true,
  },
  'documents.format': {
    source: 'documents.md#content',
    rule:
      '`format=markdown` adds `content_markdown` and `format=text` adds `content_text` to ' +
      'the JSON page, and the Agent also accepts a raw text body.',
    obeys: ['agent', 'mcp server'],
    done: true,
  },
  'documents.errors': {
    source: 'documents.md#reading',
    rule:
      'An unknown doc-ref fails with 4201, a page index not below the page count with 4202, and ' +
      'an unknown element with 4203, each with what was not found in `details`.',
    obeys: ['mcp server'],
    done: true,
  },
  'documents.read-only': {
    source: 'documents.md#publishing',
    rule: 'Reading a resource has no side effect.',
    obeys: ['mcp server'],
    done: true,
  },
  'documents.templates': {
    source: 'documents.md#publishing',
    rule:
      'Resource templates for `pages/{page_index}` and `elements/{element_id}` are declared, and ' +
      '`completion/complete` offers values by prefix for their arguments.',
    obeys: ['mcp server'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
