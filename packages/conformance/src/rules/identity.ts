import type { Requirement } from './requirement.ts';

/** Rules that protocol 0.3 and later added about MCP servers, their tools and their inputs. */
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
  'names.line': {
    source: 'tools.md#tool-names',
    rule:
      'Agents of protocol 0.2 and those without a version see plain names of tools, and later ones see ' +
      '`{bundle_id}__{alias or name}`.',
    obeys: ['computer'],
    done: true,
  },
  'names.both': {
    source: 'tools.md#tool-names',
    rule: 'A call is carried out under either form of the name of its tool, whatever version the Agent speaks.',
    obeys: ['computer'],
    done: true,
  },
  'names.agent': {
    source: 'tools.md#tool-names',
    rule:
      'An Agent that knows a tool under one form of its name calls it by the listed name when it is asked for ' +
      'the other form and no other tool is meant by it.',
    obeys: ['agent'],
    done: true,
  },
  'names.changed': {
    source: 'tools.md#tool-names',
    rule:
      'A Computer whose new Agent gets another form of names than the Agent before sends ' +
      '`server:update_tool_list` and `server:update_config`.',
    obeys: ['computer'],
    done: true,
  },
  'get-config.keys': {
    source: 'configuration.md#get_config',
    rule:
      'The `servers` of `client:get_config` are keyed by name for Agents of protocol 0.2 and those without a ' +
      'version, and by `bundle_id` for later ones.',
    obeys: ['computer'],
    done: true,
  },
  'mcp-server.either': {
    source: 'configuration.md#bundle_id',
    rule: 'The field `mcp_server` of a request is the name or the `bundle_id` of an MCP server.',
    obeys: ['computer'],
    done: true,
  },
  'notify.agent-version': {
    source: 'events.md#notifyenter_office',
    rule: 'The Server writes the protocol version of an Agent as `a2c_version` into `notify:enter_office`.',
    obeys: ['server'],
    done: true,
  },
  'bundle-id.shown': {
    source: 'configuration.md#bundle_id',
    rule: 'Every tool and every entry of `client:get_config` has the `bundle_id` of its MCP server.',
    obeys: ['computer'],
    done: true,
  },
  'pick-string.shape': {
    source: 'configuration.md#inputs',
    rule:
      'The `options` of a `pickString` are read as texts or as pairs of `label` and `value`, and written as texts for ' +
      'Agents of protocol 0.2 and those without a version, and as pairs for later ones.',
    obeys: ['protocol', 'computer', 'agent'],
    done: true,
  },
  'inputs.types': {
    source: 'configuration.md#inputs',
    rule: 'The types `PromptString`, `PickString` and `Command` are read as those that begin with a small letter.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'pick-string.value': {
    source: 'configuration.md#inputs',
    rule:
      'A person chooses among the labels of a `pickString`; the value of the chosen option is stored and inserted, ' +
      'and a value of any source that is none of the options is an error of the MCP server.',
    obeys: ['computer'],
    done: true,
  },
  'inputs.env-collision': {
    source: 'configuration.md#environment-names',
    rule: 'Two inputs that take their value from one environment variable are reported with its name.',
    obeys: ['computer'],
    done: true,
  },
  'placeholders.fixed': {
    source: 'configuration.md#placeholders',
    rule:
      '`${userHome}` and `${pathSeparator}` are replaced wherever inputs are, and shown unreplaced in ' +
      '`client:get_config`.',
    obeys: ['computer'],
    done: true,
  },
  'env-file.read': {
    source: 'configuration.md#environment-files',
    rule:
      'The variables of the `envFile` of a stdio server are read at every start and added to its environment, ' +
      'and `env` wins.',
    obeys: ['computer'],
    done: true,
  },
  'env-file.secret': {
    source: 'configuration.md#environment-files',
    rule: 'Values of an `envFile` are masked like those of `env` and never sent.',
    obeys: ['computer'],
    done: true,
  },
  'tools.meta.declared-tags': {
    source: 'tools.md#tool-metadata',
    rule:
      'The `tags` of a tool are those of `tool_meta`, else of `default_tool_meta`, else the ones that its MCP server ' +
      'declares in `_meta.a2c_tool_meta`; an empty list counts, and nothing else of the declaration does.',
    obeys: ['computer'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
