import type { Requirement } from './requirement.ts';

/** What protocol 0.3 added about MCP servers and their tools: `bundle_id`. */
export const identity = {
  'bundle-id.derived': {
    source: 'configuration.md#bundle_id',
    rule:
      'A `bundle_id` that is not given is the name with every character outside `[A-Za-z0-9_-]` replaced by `_`, ' +
      'runs of `_` collapsed, and `_` and `-` trimmed at both ends.',
    obeys: ['computer'],
    done: true,
  },
  'bundle-id.fallback': {
    source: 'configuration.md#bundle_id',
    rule:
      'Where nothing of the name remains, `bundle_id` is `bundle_` and the first 16 hexadecimal digits of the SHA-256 ' +
      'of the connection fields with their placeholders unresolved.',
    obeys: ['computer'],
    done: true,
  },
  'bundle-id.explicit': {
    source: 'configuration.md#bundle_id',
    rule: 'A `bundle_id` that is given has letters, digits, `_` and `-` and no `__`; any other is a configuration error.',
    obeys: ['protocol', 'computer'],
    done: true,
  },
  'bundle-id.conflict': {
    source: 'configuration.md#bundle_id',
    rule:
      'Of two MCP servers with one `bundle_id` the first runs, and the other fails with an error that names ' +
      'both until one of them gets another id.',
    obeys: ['computer'],
    done: true,
  },
  'bundle-id.shown': {
    source: 'configuration.md#bundle_id',
    rule: 'Every tool and every entry of `client:get_config` has the `bundle_id` of its MCP server.',
    obeys: ['computer'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
