import type { Requirement } from './requirement.ts';

/** The grammar of `dpe://` URIs. */
export const dpeUri = {
  'dpe-uri.scheme': {
    source: 'S2 §DPE URI parser, rule 1',
    rule: 'A DPE URI has the scheme `dpe`.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.host': {
    source: 'S2 §DPE URI parser, rule 2',
    rule: 'The host of a DPE URI is not empty.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.sub-path': {
    source: 'S2 §DPE URI parser, rule 3',
    rule: 'What follows the doc-ref is `pages/` with a non-negative integer or `elements/` with a non-empty id.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.format': {
    source: 'S2 §DPE URI parser, rule 4',
    rule: 'The parameter `format` is `json`, `markdown` or `text`.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.depth': {
    source: 'S2 §DPE URI parser, rule 5',
    rule: 'The parameter `depth` is `metadata` or `pages`.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.offset': {
    source: 'S2 §DPE URI parser, rule 6',
    rule: 'The parameter `offset` is a non-negative integer.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.limit': {
    source: 'S2 §DPE URI parser, rule 7',
    rule: 'The parameter `limit` is an integer from 1 to 100.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.categories': {
    source: 'S2 §DPE URI parser, rule 8, spec §10.1, §10.2',
    rule: 'The parameter `categories` is a comma-separated list of the 19 lower-case element categories and not empty.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.error': {
    source: 'S2 §DPE URI parser, §Error handling',
    rule: 'A URI that breaks one of the eight rules fails with 4204 and holds the URI in `details.uri`.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.levels': {
    source: 'S2 §DPE URI parser, spec §10.2',
    rule:
      'A host alone, with or without a slash, is level 0, a doc-ref level 1, ' +
      'a page level 2 and an element level 3.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.segments': {
    source: 'spec §10.2',
    rule:
      'The doc-ref is one segment that may contain `%2F`, doc-ref and element id are ' +
      'decoded, and more than two segments after the doc-ref give 4204.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.lenient': {
    source: 'spec §10.2',
    rule: 'Unknown parameters and parameters of another level are accepted.',
    obeys: ['protocol'],
    done: true,
  },
  'dpe-uri.build': {
    source: 'S2 §DPE URI parser, spec §10.2',
    rule: 'Building a DPE URI encodes doc-ref and element id, so that parsing gives them back.',
    obeys: ['protocol'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
