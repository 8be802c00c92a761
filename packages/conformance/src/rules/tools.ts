import type { Requirement } from './requirement.ts';

/** Tool aggregation, execution, confirmation, cancellation and upstream authorisation. */
export const tools = {
  'tools.list': {
    source: 'tools.md#tool-list',
    rule:
      'The tool list holds the tools of all result pages of every active MCP server, over stdio, SSE and streamable ' +
      'HTTP alike.',
    obeys: ['computer'],
    done: true,
  },
  'tools.fields': {
    source: 'tools.md#tool-list',
    rule:
      '`inputSchema` becomes `params_schema`, `outputSchema` becomes `return_schema` or ' +
      'null, and a missing description becomes the empty string.',
    obeys: ['computer'],
    done: true,
  },
  'tools.meta.present': {
    source: 'tools.md#tool-metadata',
    rule: '`meta` is always present, and `{}` for a tool without configured metadata, annotations or own `_meta`.',
    obeys: ['computer'],
    done: true,
  },
  'tools.meta.own-keys': {
    source: 'tools.md#tool-metadata',
    rule:
      'Keys of the `_meta` an MCP server gave its tool are kept at the top level of `meta`, ' +
      'with values that are no attributes turned into JSON strings.',
    obeys: ['computer'],
    done: true,
  },
  'tools.meta.a2c': {
    source: 'tools.md#tool-metadata',
    rule:
      '`meta.a2c_tool_meta` is a JSON string of the configured ToolMeta with `auto_apply`, `alias`, `tags` ' +
      'and `ret_object_mapper` all present, null when unset, and the Agent parses it.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'tools.meta.annotation': {
    source: 'tools.md#tool-metadata',
    rule: '`meta.MCP_TOOL_ANNOTATION` is a JSON string of the MCP annotations of the tool.',
    obeys: ['computer'],
    done: true,
  },
  'tools.meta.merge': {
    source: 'tools.md#tool-metadata',
    rule:
      'A field of `tool_meta` under the original tool name that is not null overrides the one of ' +
      '`default_tool_meta`, unknown fields are kept, and a default `alias` is ignored with a warning.',
    obeys: ['computer'],
    done: true,
  },
  'tools.alias': {
    source: 'tools.md#tool-names',
    rule:
      'A tool with an alias is listed and called under the alias and not under its own name, and ' +
      'the MCP server receives the original name.',
    obeys: ['computer'],
    done: true,
  },
  'tools.forbidden': {
    source: 'tools.md#tool-list',
    rule:
      'A tool whose original name or alias is in `forbidden_tools` is not ' +
      'listed, and a call of it fails with 4002.',
    obeys: ['computer'],
    done: true,
  },
  'tools.disabled': {
    source: 'tools.md#tool-list',
    rule: 'An MCP server with `disabled: true` is never started.',
    obeys: ['computer'],
    done: true,
  },
  'tools.duplicate.name': {
    source: 'tools.md#tool-names',
    rule:
      'When two MCP servers expose one name, by alias or not, the earlier keeps it and the later exposes ' +
      '`<server>__<tool>`, other characters than `[A-Za-z0-9_-]` replaced by `_`, at most 64 long.',
    obeys: ['computer'],
    done: true,
  },
  'tools.duplicate.diagnostic': {
    source: 'tools.md#tool-names',
    rule: 'A duplicate tool name stops no MCP server, and a diagnostic names both servers and suggests an alias.',
    obeys: ['computer'],
    done: true,
  },
  'exec.errors': {
    source: 'tools.md#execution',
    rule:
      'A call of an unknown tool name fails with 4001, and a call that the ' +
      'MCP server cannot carry out fails with 4003.',
    obeys: ['computer'],
    done: true,
  },
  'exec.timeout': {
    source: 'tools.md#execution',
    rule: 'A call that exceeds its `timeout` is interrupted and fails with 4004 and the timeout markers.',
    obeys: ['computer'],
    done: true,
  },
  'exec.timeout.range': {
    source: 'tools.md#execution',
    rule: 'A `timeout` from 1 to 3600 seconds is accepted and any other is refused.',
    obeys: ['computer'],
    done: true,
  },
  'exec.time': {
    source: 'tools.md#execution',
    rule: 'The time that a Computer takes to pass on a result grows in proportion to the size of the result.',
    obeys: ['computer'],
    done: true,
  },
  'exec.schema-mismatch': {
    source: 'tools.md#execution',
    rule: 'A result that does not match the output schema of its tool is passed on and not turned into a failure.',
    obeys: ['computer'],
    done: true,
  },
  'confirm.auto-apply': {
    source: 'tools.md#confirmation',
    rule: 'Only `auto_apply: true` skips confirmation; otherwise the confirm callback of the host decides.',
    obeys: ['computer'],
    done: true,
  },
  'confirm.refused': {
    source: 'tools.md#confirmation',
    rule: 'A call that is declined, or that needs confirmation where no callback exists, fails with 4005.',
    obeys: ['computer'],
    done: true,
  },
  'history.attempts': {
    source: 'tools.md#history',
    rule: 'Every attempted call, failed ones included, enters the tool-call history that orders desktop and finder.',
    obeys: ['computer'],
    done: true,
  },
  'agent-timeout.cancels': {
    source: 'tools.md#execution',
    rule:
      'An Agent whose call times out emits `server:tool_call_cancel` and ' +
      'returns an `isError` result with the timeout markers.',
    obeys: ['agent'],
    done: true,
  },
  'confirm.edited': {
    source: 'tools.md#confirmation',
    rule: 'Extension: the result of a call whose parameters a person changed has them in `meta.a2c_edited_params`.',
    obeys: ['computer'],
    done: true,
  },
  'tools.meta.changed': {
    source: 'tools.md#confirmation',
    rule: 'Extension: a tool whose definition has changed since its first use has `meta.a2c_definition_changed` true.',
    obeys: ['computer'],
    done: true,
  },
  'progress.wanted': {
    source: 'tools.md#progress',
    rule:
      'Extension: a Computer sends `server:update_progress` for a call whose request has `progress: true`, and for ' +
      'no other.',
    obeys: ['computer'],
    done: true,
  },
  'progress.audience': {
    source: 'tools.md#progress',
    rule: 'Extension: `notify:update_progress` reaches the Agent of the office and no Computer.',
    obeys: ['server'],
    done: true,
  },
  'progress.bounded': {
    source: 'tools.md#progress',
    rule: 'Extension: of several reports of a call within 200 ms a Computer sends the latest only.',
    obeys: ['computer'],
    done: true,
  },
  'progress.message': {
    source: 'tools.md#progress',
    rule: 'Extension: secrets are masked in the `message` of a report, and it has 500 characters at most.',
    obeys: ['computer'],
    done: true,
  },
  'progress.foreign': {
    source: 'tools.md#progress',
    rule: 'Extension: an Agent ignores reports of calls that it does not wait for and of other Computers.',
    obeys: ['agent'],
    done: true,
  },
  'question.wanted': {
    source: 'tools.md#questions',
    rule:
      'Extension: a Computer whose owner allows it sends forms of MCP servers as `server:ask_question` for a call whose ' +
      'request has `elicit: true`, and for no other.',
    obeys: ['computer'],
    done: true,
  },
  'question.harmless': {
    source: 'tools.md#questions',
    rule: 'Extension: a form with a field that looks like a secret, and whatever is no form, is not sent to an Agent.',
    obeys: ['computer'],
    done: true,
  },
  'question.message': {
    source: 'tools.md#questions',
    rule: 'Extension: secrets of the Computer are masked in a question.',
    obeys: ['computer'],
    done: true,
  },
  'question.answer': {
    source: 'tools.md#questions',
    rule: 'Extension: the first answer to a question counts, and an Agent answers only what it was asked.',
    obeys: ['computer'],
    done: true,
  },
  'question.end': {
    source: 'tools.md#questions',
    rule: 'Extension: a question ends with its call; without an answer it is `cancel`, never `decline`.',
    obeys: ['computer', 'agent'],
    done: true,
  },
  'cancel.result': {
    source: 'tools.md#cancellation',
    rule:
      'A cancelled call is answered with `isError: true`, `meta.a2c_cancelled` true and ' +
      '`meta.a2c_cancel_reason` "agent_requested", and without an error code.',
    obeys: ['computer'],
    done: true,
  },
  'cancel.grace': {
    source: 'tools.md#cancellation',
    rule:
      "An Agent that aborts a call passes on the Computer's own answer if it comes within a second, and else returns a " +
      'cancelled result with `meta.a2c_cancel_confirmed` false.',
    obeys: ['agent'],
    done: true,
  },
  'cancel.forwarded': {
    source: 'tools.md#cancellation',
    rule: 'Cancelling a call sends `notifications/cancelled` to the MCP server that runs it.',
    obeys: ['computer'],
    done: true,
  },
  'cancel.unknown': {
    source: 'tools.md#cancellation',
    rule: 'A cancel whose `req_id` belongs to no pending call has no effect and causes no error.',
    obeys: ['computer'],
    done: true,
  },
  'upstream-auth.required': {
    source: 'tools.md#upstream-authorisation',
    rule:
      'An upstream HTTP 401, with or without `WWW-Authenticate`, missing credentials, and ' +
      'an authorisation failure that cannot be told apart give 4006.',
    obeys: ['computer'],
    done: true,
  },
  'upstream-auth.failed': {
    source: 'tools.md#upstream-authorisation',
    rule: 'An upstream HTTP 403, too small a scope, a revoked grant and a token that cannot be refreshed give 4007.',
    obeys: ['computer'],
    done: true,
  },
  'upstream-auth.unavailable': {
    source: 'tools.md#upstream-authorisation',
    rule:
      'A 5xx or network failure of the OAuth provider gives 4003, and 4006 or ' +
      '4007 need a real sign of an authorisation failure.',
    obeys: ['computer'],
    done: true,
  },
  'upstream-auth.prompt': {
    source: 'tools.md#upstream-authorisation',
    rule: 'An authorisation failure is answered before the timeout and names its MCP server in `meta.mcp_server`.',
    obeys: ['computer'],
    done: true,
  },
  'upstream-auth.hint': {
    source: 'tools.md#upstream-authorisation',
    rule: '`meta.auth_hint` holds no token, OAuth parameter, client id, secret, password or URL with a query.',
    obeys: ['computer'],
    done: true,
  },
  'upstream-auth.action': {
    source: 'tools.md#upstream-authorisation',
    rule: '`meta.auth_hint.action` is `user_authorization_required` for 4006 and `token_refresh_required` for 4007.',
    obeys: ['computer'],
    done: true,
  },
  'result.forged': {
    source: 'tools.md#results',
    rule: 'A Computer drops the markers of a result, keys that begin with `a2c_` among them, that an MCP server wrote.',
    obeys: ['computer'],
    done: true,
  },
  'upstream-auth.no-retry': {
    source: 'tools.md#upstream-authorisation',
    rule: 'An Agent does not repeat a call by itself after 4006 or 4007.',
    obeys: ['agent'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
