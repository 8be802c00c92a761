import type { Requirement } from './requirement.ts';

/** Window URIs, window metadata, rendering and the organising of a desktop. */
export const desktop = {
  'window-uri.scheme': {
    source: 'desktop.md#window-uris',
    rule: 'A window URI has the scheme `window`; any other scheme is refused.',
    obeys: ['protocol'],
    done: true,
  },
  'window-uri.host': {
    source: 'desktop.md#window-uris',
    rule: 'The host of a window URI is not empty.',
    obeys: ['protocol'],
    done: true,
  },
  'window-uri.path': {
    source: 'desktop.md#window-uris',
    rule:
      'The encoded path is split into zero or more segments before each one is decoded, so `c%2Fd` ' +
      'is the single segment `c/d`, and building encodes each segment again.',
    obeys: ['protocol'],
    done: true,
  },
  'window-uri.query': {
    source: 'desktop.md#window-uris',
    rule:
      'A query on a window URI is dropped with a warning rather than refused, ' +
      'and host and path alone identify the window.',
    obeys: ['protocol', 'computer'],
    done: true,
  },
  'hosts.clash': {
    source: 'desktop.md#hosts',
    rule:
      'When two MCP servers publish window:// or dpe:// resources under one host, a ' +
      'warning names the host and both servers, and both stay registered.',
    obeys: ['computer'],
    done: true,
  },
  'hosts.style': {
    source: 'desktop.md#hosts',
    rule:
      'A host that is not lower-case letters, digits and dots in ' +
      'reverse-domain style draws a warning and nothing else.',
    obeys: ['computer'],
    done: true,
  },
  'window-meta.priority': {
    source: 'desktop.md#window-metadata',
    rule:
      'The priority of a window is `annotations.priority`, a number from 0.0 to 1.0, and a value ' +
      'that is out of range, NaN or no number draws a warning and counts as 0.0.',
    obeys: ['computer'],
    done: true,
  },
  'window-meta.fullscreen': {
    source: 'desktop.md#window-metadata',
    rule:
      'A window is fullscreen when `_meta.fullscreen` is the boolean true; a value ' +
      'of another type draws a warning and counts as false.',
    obeys: ['computer'],
    done: true,
  },
  'window-meta.no-query': {
    source: 'desktop.md#window-metadata',
    rule: 'A `?priority=` or `?fullscreen=` in the URI and a `_meta.priority` never influence the layout.',
    obeys: ['computer'],
    done: true,
  },
  'window-meta.missing': {
    source: 'desktop.md#window-metadata',
    rule:
      'Missing `annotations` or `annotations.priority` mean priority 0.0 and missing ' +
      '`_meta` or `_meta.fullscreen` mean false, all without a warning.',
    obeys: ['computer'],
    done: true,
  },
  'window-meta.audience': {
    source: 'desktop.md#window-metadata',
    rule:
      'A window whose audience lacks `assistant` stays on the desktop and ' +
      'draws one warning; a missing audience draws none.',
    obeys: ['computer'],
    done: true,
  },
  'window-meta.annotations': {
    source: 'desktop.md#window-metadata',
    rule:
      'Annotations that are no object, an `audience` that is no list of `user` and `assistant`, and a `lastModified` ' +
      'that is not in ISO 8601 each draw a warning and change nothing else.',
    obeys: ['computer'],
    done: true,
  },
  'window-meta.page-survives': {
    source: 'desktop.md#window-metadata',
    rule:
      'One resource with malformed annotations does not cost the Computer the ' +
      'other resources of the same list page.',
    obeys: ['computer'],
    done: true,
  },
  'window-advice.priority': {
    source: 'desktop.md#advice-for-authors',
    rule: 'Not all of several windows of an MCP server have the priority 0.0; `a2c inspect` warns of those that have.',
    obeys: ['mcp server'],
    done: true,
  },
  'window-advice.fullscreen': {
    source: 'desktop.md#advice-for-authors',
    rule: 'At most one window of an MCP server, its main one, is fullscreen; `a2c inspect` warns of several.',
    obeys: ['mcp server'],
    done: true,
  },
  'window-advice.audience': {
    source: 'desktop.md#advice-for-authors',
    rule: 'A window declares an audience with `assistant`; `a2c inspect` warns when it is missing or another.',
    obeys: ['mcp server'],
    done: true,
  },
  'window-advice.text': {
    source: 'desktop.md#advice-for-authors',
    rule:
      'The content of a window is short text; `a2c inspect` warns of more than 8,000 characters, of HTML and of binary ' +
      'content.',
    obeys: ['mcp server'],
    done: true,
  },
  'window-advice.announced': {
    source: 'desktop.md#advice-for-authors',
    rule:
      'A change of a window is announced at once; `a2c inspect` fails when a text has changed and no update follows ' +
      'within 2 s.',
    obeys: ['mcp server'],
    done: true,
  },
  'render.text': {
    source: 'desktop.md#rendering',
    rule:
      'A window is rendered as its URI, a blank line, and the texts of all ' +
      'its TextResourceContents joined by blank lines.',
    obeys: ['computer'],
    done: true,
  },
  'render.uri-only': {
    source: 'desktop.md#rendering',
    rule: 'A window whose text contents are all empty strings is rendered as its bare URI.',
    obeys: ['computer'],
    done: true,
  },
  'render.blob': {
    source: 'desktop.md#rendering',
    rule: 'Blob contents are skipped with a warning, while the text contents of the same window are still rendered.',
    obeys: ['computer'],
    done: true,
  },
  'render.canonical-uri': {
    source: 'desktop.md#rendering',
    rule:
      'A window published with a query is read with its URI as published and ' +
      'rendered with the URI without the query.',
    obeys: ['computer'],
    done: true,
  },
  'desktop.gate': {
    source: 'desktop.md#publishing',
    rule: 'Only the windows of MCP servers that declare the capability `resources.subscribe` are enumerated.',
    obeys: ['computer'],
    done: true,
  },
  'desktop.gate.told': {
    source: 'desktop.md#publishing',
    rule:
      'An MCP server whose windows or documents are left out because it does not declare `resources.subscribe` draws ' +
      'one warning for each of the two.',
    obeys: ['computer'],
    done: true,
  },
  'desktop.filter.told': {
    source: 'desktop.md#organising',
    rule: 'A window that is left out for its URI, its contents or a failed read draws a warning that says why.',
    obeys: ['computer'],
    done: true,
  },
  'desktop.filter.no-text': {
    source: 'desktop.md#organising',
    rule: 'A window whose contents are missing, empty or blobs only does not appear on the desktop.',
    obeys: ['computer'],
    done: true,
  },
  'desktop.filter.invalid-uri': {
    source: 'desktop.md#organising',
    rule: 'A resource whose URI is not a valid window URI does not appear on the desktop.',
    obeys: ['computer'],
    done: true,
  },
  'desktop.filter.unreadable': {
    source: 'desktop.md#organising',
    rule: 'A window whose `resources/read` fails is dropped and logged, and the other windows are still shown.',
    obeys: ['computer'],
    done: true,
  },
  'desktop.order.servers': {
    source: 'desktop.md#organising',
    rule:
      'Windows are grouped by MCP server name, the most recently used server of the tool-call ' +
      'history first and each one once, then the others in alphabetical order.',
    obeys: ['computer'],
    done: true,
  },
  'desktop.order.priority': {
    source: 'desktop.md#organising',
    rule:
      'Within one MCP server windows are ordered by descending priority, equal ' +
      'priorities keep list order, and `lastModified` plays no part.',
    obeys: ['computer'],
    done: true,
  },
  'desktop.fullscreen.first': {
    source: 'desktop.md#organising',
    rule:
      'The fullscreen window with the lowest list index, whatever its priority, is the only ' +
      'window its MCP server shows, and it hides none of another server.',
    obeys: ['computer'],
    done: true,
  },
  'desktop.fullscreen.filtered': {
    source: 'desktop.md#organising',
    rule: 'A fullscreen window that step 1 filters out does not hide the other windows of its MCP server.',
    obeys: ['computer'],
    done: true,
  },
  'desktop.size.limit': {
    source: 'desktop.md#organising',
    rule:
      'A size that is null or absent shows every window, and a positive size caps ' +
      'the number of windows over all MCP servers together.',
    obeys: ['computer'],
    done: true,
  },
  'desktop.size.zero': {
    source: 'desktop.md#organising',
    rule: 'A size of zero or less gives an empty desktop before any resource is read.',
    obeys: ['computer'],
    done: true,
  },
  'desktop.window.exact': {
    source: 'desktop.md#organising',
    rule:
      'A `window` in the request selects every window of any active MCP server whose ' +
      '`Resource.uri`, as published or without its query, equals it as a whole string.',
    obeys: ['computer'],
    done: true,
  },
  'desktop.window.first': {
    source: 'desktop.md#organising',
    rule:
      'The `window` selection runs before organising, and a selection without ' +
      'a match gives an empty list and no error.',
    obeys: ['computer'],
    done: true,
  },
  'desktop-change.list': {
    source: 'desktop.md#changes',
    rule:
      'After a resource list change the Computer emits `server:update_desktop` exactly ' +
      'when the set of window:// URIs differs from the cached one.',
    obeys: ['computer'],
    done: true,
  },
  'desktop-change.updated': {
    source: 'desktop.md#changes',
    rule:
      'A resource update of a window:// URI emits `server:update_desktop` at once ' +
      'without comparing sets; an update of another scheme does not.',
    obeys: ['computer'],
    done: true,
  },
  'desktop-change.baseline': {
    source: 'desktop.md#changes',
    rule:
      'The cached set is filled after the start, so that a first list change without a difference ' +
      'emits nothing, and an MCP server that starts or stops counts as a change.',
    obeys: ['computer'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
