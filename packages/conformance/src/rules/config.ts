import type { Requirement } from './requirement.ts';

/** Configuration files, inputs, result transformation and what `client:get_config` shows. */
export const config = {
  'config.file': {
    source: 'configuration.md#configuration-file',
    rule:
      'A configuration file is a JSON object with a list `inputs` and a map ' +
      '`servers` whose keys equal the `name` of each entry.',
    obeys: ['computer'],
    done: true,
  },
  'config.type': {
    source: 'configuration.md#configuration-file',
    rule: 'The types `http`, `Http` and `HTTP` are read as `streamable`, and `streamable` is always written.',
    obeys: ['protocol', 'computer'],
    done: true,
  },
  'config.defaults': {
    source: 'configuration.md#configuration-file',
    rule:
      'Missing `disabled`, `forbidden_tools` and `tool_meta` are read as false, [] and {}, and missing stdio ' +
      'parameters as args [], env null, cwd null, utf-8 and strict; all are written.',
    obeys: ['protocol', 'computer'],
    done: true,
  },
  'config.effects': {
    source: 'configuration.md#configuration-file',
    rule:
      'The `env` and `cwd` of a stdio MCP server, and the `headers`, `sse_read_timeout` and `terminate_on_close` of a ' +
      'streamable one, take effect.',
    obeys: ['computer'],
    done: true,
  },
  'config.encoding': {
    source: 'configuration.md#configuration-file',
    rule:
      'The `encoding` of a stdio server is a name of the WHATWG or of a codec of Python, such as `latin-1`, `utf_8` or ' +
      '`cp936`; an unknown one is a configuration error.',
    obeys: ['computer'],
    done: true,
  },
  'inputs.placeholder': {
    source: 'configuration.md#placeholders',
    rule:
      'A placeholder `${input:id}` is replaced in any string inside ' +
      '`server_parameters`: command, args, env values, URL and header values.',
    obeys: ['computer'],
    done: true,
  },
  'inputs.embedded': {
    source: 'configuration.md#placeholders',
    rule:
      'A placeholder that is the whole string keeps the type of the value, and ' +
      'one inside a longer string is inserted as text.',
    obeys: ['computer'],
    done: true,
  },
  'inputs.unknown': {
    source: 'configuration.md#placeholders',
    rule: 'A placeholder with an unknown id stays as it is and draws a warning, and replacement stops at depth 10.',
    obeys: ['computer'],
    done: true,
  },
  'inputs.chain': {
    source: 'configuration.md#inputs',
    rule: 'An input takes its value from the environment, else from asking a person, else from its `default`.',
    obeys: ['computer'],
    done: true,
  },
  'inputs.lazy': {
    source: 'configuration.md#inputs',
    rule: 'Only inputs that are referenced are resolved, each once per session until its value is cleared.',
    obeys: ['computer'],
    done: true,
  },
  'inputs.command': {
    source: 'configuration.md#inputs',
    rule:
      'A `command` input runs its command in a shell, or with each key and value of `args` ' +
      'appended as arguments, and yields the output without the trailing newline.',
    obeys: ['computer'],
    done: true,
  },
  'inputs.env-name': {
    source: 'configuration.md#environment-names',
    rule:
      'The environment name is `A2C_SMCP_` with input id, server and tool in their own case and other ' +
      'characters than `[A-Za-z0-9_]` as `_`, or else with all of it in upper case.',
    obeys: ['computer'],
    done: true,
  },
  'inputs.env-context': {
    source: 'configuration.md#environment-names',
    rule:
      'The environment is searched for the name with server and tool first, where an input is resolved for a tool, ' +
      'then with the server, then with the input id alone.',
    obeys: ['computer'],
    done: true,
  },
  'inputs.password': {
    source: 'configuration.md#inputs',
    rule: 'The value of an input with `password: true` is never logged and never sent.',
    obeys: ['computer'],
    done: true,
  },
  'vrl.errors': {
    source: 'tools.md#result-transformation',
    rule:
      'A `vrl` script with a syntax error blocks its MCP server configuration at ' +
      'load, and one that fails at run time only draws a warning.',
    obeys: ['computer'],
    done: true,
  },
  'vrl.result': {
    source: 'tools.md#result-transformation',
    rule:
      'A `vrl` script runs on the result with `tool_name` and `parameters` added, and its outcome is a ' +
      'JSON string in `meta.a2c_vrl_transformed` beside the untouched result.',
    obeys: ['computer'],
    done: true,
  },
  'get-config.raw': {
    source: 'configuration.md#get_config',
    rule: '`client:get_config` returns the configurations of all MCP servers with placeholders unresolved.',
    obeys: ['computer'],
    done: true,
  },
  'get-config.masked': {
    source: 'configuration.md#get_config',
    rule:
      'Literal values in `env` and in headers, and others unless they are known to be harmless, are ' +
      'masked in `client:get_config` unless `exposeSecrets` is set.',
    obeys: ['computer'],
    done: true,
  },
  'lifecycle.update': {
    source: 'configuration.md#changes-at-run-time',
    rule:
      'After an MCP server is added, changed, disabled or removed the next `client:get_*` ' +
      'shows the new state, and its stale tools cannot be called.',
    obeys: ['computer'],
    done: true,
  },
  'lifecycle.announce': {
    source: 'configuration.md#changes-at-run-time',
    rule:
      'A change of the MCP servers sends the matching `server:update_*` events while ' +
      'the Computer is in an office and none while it is not.',
    obeys: ['computer'],
    done: true,
  },
  'limits.rate': {
    source: 'connection.md#rate-limits',
    rule: 'The Server can limit connections per address and requests per second.',
    obeys: ['server'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
