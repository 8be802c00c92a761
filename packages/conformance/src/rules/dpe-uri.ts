import type { Requirement } from './requirement.ts';

/** The grammar of `dpe://` URIs. */
export const dpeUri = {
  'dpe-uri.scheme': {
    source: 'documents.md#dpe-uris',
    rule: 'A DPE URI has the scheme `dpe`.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.host': {
    source: 'documents.md#dpe-uris',
    rule: 'The host of a DPE URI is not empty.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.sub-path': {
    source: 'documents.md#dpe-uris',
    rule: 'What follows the doc-ref is `pages/` with a non-negative integer or `elements/` with a non-empty id.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.format': {
    source: 'documents.md#dpe-uris',
    rule: 'The parameter `format` is `json`, `markdown` or `text`.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.depth': {
    source: 'documents.md#dpe-uris',
    rule: 'The parameter `depth` is `metadata` or `pages`.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.offset': {
    source: 'documents.md#dpe-uris',
    rule: 'The parameter `offset` is a non-negative integer.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.limit': {
    source: 'documents.md#dpe-uris',
    rule: 'The parameter `limit` is an integer from 1 to 100.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.categories': {
    source: 'documents.md#dpe-uris',
    rule: 'The parameter `categories` is a comma-separated list of the 19 lower-case element categories and not empty.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.repeated': {
    source: 'documents.md#dpe-uris',
    rule: 'Of a parameter that is given more than once every value must be valid, and the first counts.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.error': {
    source: 'documents.md#dpe-uris',
    rule: 'A URI that breaks one of the eight rules fails with 4204 and holds the URI in `details.uri`.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.levels': {
    source: 'documents.md#dpe-uris',
    rule:
      'A host alone, with or without a slash, is level 0, a doc-ref level 1, ' +
      'a page level 2 and an element level 3.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.segments': {
    source: 'documents.md#dpe-uris',
    rule:
      'The doc-ref is one segment that may contain `%2F`, doc-ref and element id are ' +
      'decoded, and more than two segments after the doc-ref give 4204.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.lenient': {
    source: 'documents.md#dpe-uris',
    rule: 'Unknown parameters and parameters of another level are accepted.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.build': {
    source: 'documents.md#dpe-uris',
    rule: 'Building a DPE URI encodes doc-ref and element id, so that parsing gives them back.',
    obeys: ['protocol'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
