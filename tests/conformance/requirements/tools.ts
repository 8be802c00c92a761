import type { Requirement } from './requirement.ts';

/** Tool aggregation, execution, confirmation, cancellation and upstream authorisation. */
export const tools = {
  'tools.list': {
    source: 'S4 §Tool aggregation, spec §6.1',
    rule: 'The tool list holds the tools of all result pages of every active MCP server.',
    obeys: ['computer'],
    done: true,
  },
  'tools.fields': {
    source: 'spec §6.1',
    rule:
      '`inputSchema` becomes `params_schema`, `outputSchema` becomes `return_schema` or ' +
      'null, and a missing description becomes the empty string.',
    obeys: ['computer'],
    done: true,
  },
  'tools.meta.present': {
    source: 'S1 §SMCPTool.meta',
    rule: '`meta` is always present, and `{}` for a tool without configured metadata, annotations or own `_meta`.',
    obeys: ['computer'],
    done: true,
  },
  'tools.meta.own-keys': {
    source: 'S1 §SMCPTool.meta, spec §6.1',
    rule:
      'Keys of the `_meta` an MCP server gave its tool are kept at the top level of `meta`, ' +
      'with values that are no attributes turned into JSON strings.',
    obeys: ['computer'],
    done: true,
  },
  'tools.meta.a2c': {
    source: 'S1 §SMCPTool.meta',
    rule:
      '`meta.a2c_tool_meta` is a JSON string of the configured ToolMeta with `auto_apply`, `alias`, `tags` ' +
      'and `ret_object_mapper` all present, null when unset, and the Agent parses it.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'tools.meta.annotation': {
    source: 'S1 §SMCPTool.meta',
    rule: '`meta.MCP_TOOL_ANNOTATION` is a JSON string of the MCP annotations of the tool.',
    obeys: ['computer'],
    done: true,
  },
  'tools.meta.merge': {
    source: 'spec §6.1',
    rule:
      'A field of `tool_meta` under the original tool name that is not null overrides the one of ' +
      '`default_tool_meta`, unknown fields are kept, and a default `alias` draws a warning.',
    obeys: ['computer'],
    done: true,
  },
  'tools.alias': {
    source: 'S1 §SMCPTool, spec §6.1',
    rule:
      'A tool with an alias is listed and called under the alias alone, and ' +
      'the MCP server receives the original name.',
    obeys: ['computer'],
    done: true,
  },
  'tools.forbidden': {
    source: 'spec §6.1, §4.2',
    rule:
      'A tool whose original name or alias is in `forbidden_tools` is not ' +
      'listed, and a call of it fails with 4002.',
    obeys: ['computer'],
    done: true,
  },
  'tools.disabled': {
    source: 'S1 §BaseMCPServerConfig, spec §6.1',
    rule: 'An MCP server with `disabled: true` is never started.',
    obeys: ['computer'],
    done: true,
  },
  'tools.duplicate.name': {
    source: 'spec §13',
    rule:
      'When two MCP servers expose one name, by alias or not, the earlier keeps it and the later exposes ' +
      '`<server>__<tool>`, other characters than `[A-Za-z0-9_-]` replaced by `_`, at most 64 long.',
    obeys: ['computer'],
    done: true,
  },
  'tools.duplicate.diagnostic': {
    source: 'spec §13',
    rule: 'A duplicate tool name stops no MCP server, and a diagnostic names both servers and suggests an alias.',
    obeys: ['computer'],
    done: true,
  },
  'exec.errors': {
    source: 'spec §4.2, §6.2',
    rule:
      'A call of an unknown tool name fails with 4001, and a call that the ' +
      'MCP server cannot carry out fails with 4003.',
    obeys: ['computer'],
    done: true,
  },
  'exec.timeout': {
    source: 'spec §6.2',
    rule: 'A call that exceeds its `timeout` is interrupted and fails with 4004 and the timeout markers.',
    obeys: ['computer'],
    done: true,
  },
  'exec.timeout.range': {
    source: 'spec §6.2',
    rule: 'A `timeout` from 1 to 3600 seconds is accepted and any other is refused.',
    obeys: ['computer'],
    done: true,
  },
  'exec.schema-mismatch': {
    source: 'spec §13',
    rule: 'A result that does not match the output schema of its tool is passed on and not turned into a failure.',
    obeys: ['computer'],
    done: true,
  },
  'confirm.auto-apply': {
    source: 'S1 §ToolMeta, spec §6.2',
    rule: 'Only `auto_apply: true` skips confirmation; otherwise the confirm callback of the host decides.',
    obeys: ['computer'],
    done: true,
  },
  'confirm.refused': {
    source: 'spec §6.2',
    rule: 'A call that is declined, or that needs confirmation where no callback exists, fails with 4005.',
    obeys: ['computer'],
    done: true,
  },
  'history.attempts': {
    source: 'S0 §Step 2, spec §6.2',
    rule: 'Every attempted call, failed ones included, enters the tool-call history that orders desktop and finder.',
    obeys: ['computer'],
    done: true,
  },
  'agent-timeout.cancels': {
    source: 'spec §6.2',
    rule:
      'An Agent whose call times out emits `server:tool_call_cancel` and ' +
      'returns an `isError` result with the timeout markers.',
    obeys: ['agent'],
    done: true,
  },
  'cancel.result': {
    source: 'spec §6.3',
    rule:
      'A cancelled call is answered with `isError: true`, `meta.a2c_cancelled` true and ' +
      '`meta.a2c_cancel_reason` "agent_requested", and without an error code.',
    obeys: ['computer'],
    done: true,
  },
  'cancel.forwarded': {
    source: 'spec §6.3',
    rule: 'Cancelling a call sends `notifications/cancelled` to the MCP server that runs it.',
    obeys: ['computer'],
    done: true,
  },
  'cancel.unknown': {
    source: 'spec §6.3',
    rule: 'A cancel whose `req_id` belongs to no call under way has no effect and causes no error.',
    obeys: ['computer'],
    done: true,
  },
  'upstream-auth.required': {
    source: 'spec §6.4',
    rule:
      'An upstream HTTP 401, with or without `WWW-Authenticate`, missing credentials, and ' +
      'an authorisation failure that cannot be told apart give 4006.',
    obeys: ['computer'],
    done: true,
  },
  'upstream-auth.failed': {
    source: 'spec §6.4',
    rule: 'An upstream HTTP 403, too small a scope, a revoked grant and a token that cannot be refreshed give 4007.',
    obeys: ['computer'],
    done: true,
  },
  'upstream-auth.unavailable': {
    source: 'spec §6.4',
    rule:
      'A 5xx or network failure of the OAuth provider gives 4003, and 4006 or ' +
      '4007 need a real sign of an authorisation failure.',
    obeys: ['computer'],
    done: true,
  },
  'upstream-auth.prompt': {
    source: 'spec §6.4',
    rule: 'An authorisation failure is answered before the timeout and names its MCP server in `meta.mcp_server`.',
    obeys: ['computer'],
    done: true,
  },
  'upstream-auth.hint': {
    source: 'spec §6.4',
    rule: '`meta.auth_hint` holds no token, OAuth parameter, client id, secret, password or URL with a query.',
    obeys: ['computer'],
    done: true,
  },
  'upstream-auth.no-retry': {
    source: 'spec §6.4',
    rule: 'An Agent does not repeat a call by itself after 4006 or 4007.',
    obeys: ['agent'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
