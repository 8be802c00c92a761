import type { Requirement } from './requirement.ts';

/** The wire structures: which of their fields are required, optional or nullable. */
export const structures = {
  'struct.agent-call-data': {
    source: 'events.md#common-fields',
    rule: 'AgentCallData requires the strings `agent` and `req_id`.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.tool-call-req': {
    source: 'events.md#clienttool_call',
    rule:
      'ToolCallReq requires `agent`, `req_id`, `computer`, `tool_name`, the ' +
      'object `params` and the integer `timeout` in seconds.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.smcp-tool': {
    source: 'events.md#smcptool',
    rule:
      'SMCPTool requires `name`, `description`, the object `params_schema` and ' +
      '`return_schema`, which may be null, while `meta` is optional and may be null.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.attributes': {
    source: 'events.md#attributes',
    rule:
      'An attribute value of `SMCPTool.meta` is a string, a boolean, a ' +
      'number, null or an array of values of one such type.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.tool-meta': {
    source: 'events.md#toolmeta',
    rule:
      'In ToolMeta the boolean `auto_apply`, the object `ret_object_mapper`, the string ' +
      '`alias` and the string list `tags` are each optional and may be null.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.get-tools': {
    source: 'events.md#clientget_tools',
    rule:
      'GetToolsReq requires `agent`, `req_id` and `computer`; GetToolsRet ' +
      'requires the SMCPTool list `tools` and `req_id`.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.office-req': {
    source: 'events.md#serverjoin_office',
    rule:
      'EnterOfficeReq requires the strings `name` and `office_id` and a `role` that is ' +
      '`computer` or `agent`; LeaveOfficeReq requires `office_id` alone.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.office-notification': {
    source: 'events.md#notifyenter_office',
    rule:
      'In EnterOfficeNotification and LeaveOfficeNotification `office_id`, `computer` and ' +
      '`agent` are optional strings, and the last two may be null.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.list-room': {
    source: 'events.md#serverlist_room',
    rule:
      'ListRoomReq requires `agent`, `req_id` and `office_id`; ListRoomRet ' +
      'requires the SessionInfo list `sessions` and `req_id`.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.session-info': {
    source: 'events.md#sessioninfo',
    rule:
      'In SessionInfo `sid`, `name`, `role`, which is `computer` or `agent`, ' +
      '`office_id` and `a2c_version` are all optional.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.aliases': {
    source: 'events.md#aliases',
    rule: 'SERVER_NAME, TOOL_NAME and Desktop are strings.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.update': {
    source: 'events.md#update-structures',
    rule:
      'The only field of the update structures is the string `computer`, required in ' +
      'UpdateComputerConfigReq and optional in UpdateMCPConfigNotification and UpdateToolListNotification.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.get-config': {
    source: 'events.md#clientget_config',
    rule:
      'GetComputerConfigReq requires `agent`, `req_id` and `computer`; GetComputerConfigRet requires ' +
      'the map `servers`, has an optional, nullable list `inputs` and no `req_id`.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.get-desktop': {
    source: 'events.md#clientget_desktop',
    rule:
      'GetDeskTopReq requires `agent`, `req_id` and `computer` with an optional integer `desktop_size` and ' +
      'string `window`; in GetDeskTopRet the string list `desktops` and `req_id` are optional.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.server-config': {
    source: 'events.md#mcpserverconfig',
    rule:
      'MCPServerConfig requires `name`, `disabled`, `forbidden_tools`, `tool_meta` and a `type` of `stdio`, ' +
      '`streamable` or `sse`; `default_tool_meta` and `vrl` are optional and may be null.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.server-config.stdio': {
    source: 'events.md#mcpserverconfig',
    rule:
      'Stdio `server_parameters` are `command`, `args`, nullable `env` and `cwd`, `encoding`, ' +
      'and an `encoding_error_handler` of `strict`, `ignore` or `replace`.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.server-config.streamable': {
    source: 'events.md#mcpserverconfig',
    rule:
      'Streamable `server_parameters` are `url`, nullable `headers`, the ISO 8601 durations ' +
      '`timeout` and `sse_read_timeout`, and the boolean `terminate_on_close`.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.server-config.sse': {
    source: 'events.md#mcpserverconfig',
    rule:
      'SSE `server_parameters` are `url`, nullable `headers`, and `timeout` ' +
      'and `sse_read_timeout` as numbers of seconds.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.input.prompt-string': {
    source: 'events.md#mcpserverinput',
    rule:
      'An input of type `promptString` requires `id` and `description`, while the string ' +
      '`default` and the boolean `password` are optional and may be null.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.input.pick-string': {
    source: 'events.md#mcpserverinput',
    rule:
      'An input of type `pickString` requires `id`, `description` and the list `options` of strings or of ' +
      '`label` and `value`, while `default` is optional and may be null.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.input.command': {
    source: 'events.md#mcpserverinput',
    rule:
      'An input of type `command` requires `id`, `description` and `command`, while ' +
      '`args`, a map of strings, is optional and may be null.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.get-finder': {
    source: 'events.md#clientget_finder',
    rule:
      'GetFinderReq requires `agent`, `req_id` and `computer` with optional, nullable `keywords`, `file_type`, ' +
      '`offset`, `limit` and `content`; in GetFinderRet `documents`, `total_count`, `hits`, `pending`, `unsearched` and ' +
      '`req_id` are optional.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.document-summary': {
    source: 'events.md#dpedocumentsummary',
    rule:
      'DPEDocumentSummary requires `doc_ref`, `uri`, `file_uri`, `file_type`, `title`, the integer ' +
      '`page_count` and `server`; `keywords`, `summary` and `last_modified` are optional.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.hit': {
    source: 'events.md#dpehit',
    rule: 'DPEHit requires `uri`, `doc_ref`, `page_index` counted from 0, `title`, `passage`, the number `score` and `server`.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.page-summary': {
    source: 'events.md#dpepagesummary',
    rule:
      'DPEPageSummary requires `page_index` counted from 0, `title`, ' +
      '`element_count` and `uri`; `doc_ref` and `hash` are optional.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.element-detail': {
    source: 'events.md#dpeelementdetail',
    rule:
      'DPEElementDetail requires `element_id`, `category` and the object `content`; ' +
      '`summary`, `doc_ref`, `page_index`, `uri` and `metadata` are optional.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.get-resources': {
    source: 'events.md#clientget_resources',
    rule:
      'GetResourcesReq requires `agent`, `req_id`, `computer` and `mcp_server` with an optional ' +
      '`cursor`; GetResourcesRet has `resources`, an optional `next_cursor` and `req_id`.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.read': {
    source: 'events.md#clientget_dpe',
    rule:
      'GetDpeReq and ReadResourceReq require `agent`, `req_id`, `computer` and `uri` with an optional `timeout`, ' +
      'the latter also with an optional `mcp_server`; both answers are `contents` and `req_id`.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.get-prompts': {
    source: 'events.md#clientget_prompts',
    rule:
      'GetPromptsReq requires `agent`, `req_id` and `computer` with an optional `mcp_server` and `cursor`; GetPromptsRet ' +
      'has `prompts`, each with `name` and `mcp_server`, an optional `next_cursor` and `req_id`.',
    obeys: ['protocol'],
    done: true,
  },
  'struct.get-prompt': {
    source: 'events.md#clientget_prompt',
    rule:
      'GetPromptReq requires `agent`, `req_id`, `computer`, `mcp_server` and `name` with optional `arguments`, which are ' +
      'texts, and `timeout`; GetPromptRet has `messages`, each with `role` and `content`, an optional `description` and `req_id`.',
    obeys: ['protocol'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
