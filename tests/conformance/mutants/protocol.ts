import { inFile } from './mutant.ts';

const schemas = 'packages/protocol/src/schemas';

/** Structures, URIs, codes and versions. */
export const protocolMutants = [
  ...inFile(`${schemas}/call.ts`, [
    [
      'struct.agent-call-data',
      'an agent may be a number',
      'agent: z.string()',
      'agent: z.union([z.string(), z.number()])',
    ],
  ]),
  ...inFile(`${schemas}/tools.ts`, [
    ['struct.tool-call-req', 'a timeout may have a fraction', 'timeout: z.int()', 'timeout: z.number()'],
    ['struct.smcp-tool', 'a return schema may be missing', 'return_schema: z.nullable', 'return_schema: z.nullish'],
    [
      'struct.tool-meta',
      'tags may be anything',
      'tags: z.nullish(z.array(z.string()))',
      'tags: z.nullish(z.array(z.unknown()))',
    ],
    ['struct.get-tools', 'tools may be anything', 'tools: z.array(SMCPTool)', 'tools: z.array(z.unknown())'],
    [
      'struct.aliases',
      'a tool name may be a number',
      'TOOL_NAME = z.string()',
      'TOOL_NAME = z.union([z.string(), z.number()])',
    ],
  ]),
  ...inFile(`${schemas}/tools.ts`, [
    [
      'struct.attributes',
      'objects are attributes',
      'export const Attributes = z.record(z.string(), AttributeValue);',
      'export const Attributes = z.record(z.string(), z.unknown());',
    ],
  ]),
  ...inFile(`${schemas}/desktop.ts`, [
    [
      'struct.get-desktop',
      'a size may have a fraction',
      'desktop_size: z.nullish(z.int())',
      'desktop_size: z.nullish(z.number())',
    ],
  ]),
  ...inFile(`${schemas}/office.ts`, [
    ['struct.office-req', 'a name may be a number', 'role: Role,\n  name: z.string()', 'role: Role,\n  name: z.any()'],
    ['struct.session-info', 'a role may be any text', 'role: z.optional(Role)', 'role: z.optional(z.string())'],
    [
      'struct.office-notification',
      'an office may be null',
      'office_id: z.optional(z.string()),\n  computer',
      'office_id: z.nullish(z.string()),\n  computer',
    ],
    [
      'struct.list-room',
      'sessions may be anything',
      'sessions: z.array(SessionInfo)',
      'sessions: z.array(z.unknown())',
    ],
  ]),
  ...inFile(`${schemas}/config.ts`, [
    ['struct.update', 'a signal needs no computer', 'computer: z.string(),', 'computer: z.optional(z.string()),'],
    [
      'struct.get-config',
      'servers may be anything',
      'servers: z.record(z.string(), MCPServerConfig)',
      'servers: z.record(z.string(), z.unknown())',
    ],
  ]),
  ...inFile(`${schemas}/mcp-server.ts`, [
    [
      'struct.server-config',
      'forbidden tools may be numbers',
      'forbidden_tools: z.optional(z.array(z.string()))',
      'forbidden_tools: z.optional(z.array(z.unknown()))',
    ],
    [
      'struct.server-config.stdio',
      'a handler may be any text',
      "z.enum(['strict', 'ignore', 'replace'])",
      'z.string()',
    ],
    [
      'struct.server-config.streamable',
      'a duration may be a number',
      "'PT30S' */\n  timeout: z.optional(z.string())",
      "'PT30S' */\n  timeout: z.optional(z.union([z.string(), z.number()]))",
    ],
    [
      'struct.server-config.sse',
      'seconds may be a text',
      '@default 5 */\n  timeout: z.optional(z.number().check(z.positive()))',
      '@default 5 */\n  timeout: z.optional(z.union([z.string(), z.number()]))',
    ],
    ['config.type', 'Http is unknown', "'http', 'Http', 'HTTP'", "'http', 'HTTP'"],
  ]),
  ...inFile('packages/protocol/src/server-config.ts', [
    [
      'config.defaults',
      'a missing handler is replace',
      "encoding_error_handler: 'strict'",
      "encoding_error_handler: 'replace'",
    ],
  ]),
  ...inFile(`${schemas}/inputs.ts`, [
    [
      'struct.input.prompt-string',
      'a password may be a text',
      'password: z.nullish(z.boolean())',
      'password: z.nullish(z.union([z.boolean(), z.string()]))',
    ],
    [
      'struct.input.pick-string',
      'an option needs no value',
      'label: z.string(),\n  value: z.string()',
      'label: z.string(),\n  value: z.optional(z.string())',
    ],
    [
      'struct.input.command',
      'arguments may be anything',
      'args: z.nullish(z.record(z.string(), z.string()))',
      'args: z.nullish(z.record(z.string(), z.unknown()))',
    ],
  ]),
  ...inFile(`${schemas}/finder.ts`, [
    [
      'struct.get-finder',
      'keywords may be a text',
      'keywords: z.nullish(z.array(z.string()))',
      'keywords: z.nullish(z.union([z.string(), z.array(z.string())]))',
    ],
    ['struct.hit', 'a passage may be missing', 'passage: z.string()', 'passage: z.optional(z.string())'],
    [
      'struct.document-summary',
      'a page count may have a fraction',
      'title: z.string(),\n  page_count: z.int()',
      'title: z.string(),\n  page_count: z.number()',
    ],
    [
      'struct.page-summary',
      'a title may be missing',
      'title: z.string(),\n  element_count',
      'title: z.optional(z.string()),\n  element_count',
    ],
    [
      'struct.element-detail',
      'content may be a text',
      'content: z.record(z.string(), z.unknown())',
      'content: z.unknown()',
    ],
  ]),
  ...inFile(`${schemas}/resources.ts`, [
    [
      'struct.get-resources',
      'a cursor may be a number',
      'cursor: z.nullish(z.string()),\n});',
      'cursor: z.any(),\n});',
    ],
    [
      'struct.read',
      'contents may be anything',
      'contents: z.array(ResourceContents)',
      'contents: z.array(z.unknown())',
    ],
  ]),
  ...inFile('packages/protocol/src/uri/text.ts', [
    [
      'window-uri.scheme',
      'every scheme is taken',
      'if (raw.slice(0, prefix.length).toLowerCase() !== prefix)',
      'if (false)',
    ],
    [
      'dpe-uri.scheme',
      'every scheme is taken',
      'if (raw.slice(0, prefix.length).toLowerCase() !== prefix)',
      'if (false)',
    ],
    ['window-uri.host', 'the host may be empty', "if (host === '') throw", "if (host === '?') throw"],
    ['dpe-uri.host', 'the host may be empty', "if (host === '') throw", "if (host === '?') throw"],
  ]),
  ...inFile('packages/protocol/src/uri/window.ts', [
    [
      'window-uri.path',
      'segments stay encoded',
      'path: segments.map(segment => decode(segment, fail))',
      'path: segments',
    ],
  ]),
  ...inFile('packages/protocol/src/uri/dpe.ts', [
    [
      'dpe-uri.sub-path',
      'a page may be a text',
      "page: wholeNumber('the page', rest, fail)",
      'page: Number(rest) || 0',
    ],
    [
      'dpe-uri.format',
      'any format',
      "format: (value, fail) => oneOf('format', ['json', 'markdown', 'text'], value, fail)",
      "format: value => value as 'json'",
    ],
    [
      'dpe-uri.depth',
      'any depth',
      "depth: (value, fail) => oneOf('depth', ['metadata', 'pages'], value, fail)",
      "depth: value => value as 'pages'",
    ],
    [
      'dpe-uri.offset',
      'an offset may be negative',
      "offset: (value, fail) => wholeNumber('offset', value, fail)",
      'offset: value => Number(value) || 0',
    ],
    ['dpe-uri.limit', 'a limit may be 0', 'limit < 1 ||', 'limit < 0 ||'],
    [
      'dpe-uri.categories',
      'unknown categories are taken',
      "oneOf('each of categories', ElementCategory.options, name, fail)",
      'name as ElementCategory',
    ],
    [
      'dpe-uri.repeated',
      'only the first value is checked',
      'parameters.getAll(key).map',
      'parameters.getAll(key).slice(0, 1).map',
    ],
    [
      'dpe-uri.error',
      'another code',
      'new SmcpError(ErrorCode.InvalidDpeUri, `Invalid DPE URI',
      'new SmcpError(ErrorCode.BadRequest, `Invalid DPE URI',
    ],
    [
      'dpe-uri.levels',
      'a host alone is no URI',
      "if (path === '') return { level: 0 };",
      "if (path === '') throw fail('it is empty');",
    ],
    [
      'dpe-uri.segments',
      'the doc-ref stays encoded',
      'const docRef = decode(rawDocRef, fail);',
      'const docRef = rawDocRef;',
    ],
    [
      'dpe-uri.lenient',
      'unknown parameters are refused',
      'const parsed: DpeQuery = {};',
      "const parsed: DpeQuery = {};\n  for (const key of parameters.keys()) if (!(key in readers)) throw fail('unknown');",
    ],
    [
      'dpe-uri.build',
      'a slash in an element is not encoded',
      'map(segment => `/${encode(segment, fail)}`)',
      'map(segment => `/${segment === element ? encodeURI(segment) : encode(segment, fail)}`)',
    ],
  ]),
  ...inFile('packages/protocol/src/schemas/prompts.ts', [
    [
      'struct.get-prompts',
      'a prompt need not say whose it is',
      'mcp_server: z.string(),\n  title',
      'mcp_server: z.nullish(z.string()),\n  title',
    ],
    [
      'struct.get-prompt',
      'arguments of any type',
      'z.record(z.string(), z.string())',
      'z.record(z.string(), z.unknown())',
    ],
  ]),
  ...inFile('packages/protocol/src/event-names.ts', [
    [
      'event.client.read-resource',
      'another constant',
      "READ_RESOURCE_EVENT = 'client:read_resource'",
      "READ_RESOURCE_EVENT = 'client:read'",
    ],
    [
      'event.client.get-prompts',
      'another constant',
      "GET_PROMPTS_EVENT = 'client:get_prompts'",
      "GET_PROMPTS_EVENT = 'client:get_prompt'",
    ],
    [
      'event.client.get-prompt',
      'another constant',
      "GET_PROMPT_EVENT = 'client:get_prompt'",
      "GET_PROMPT_EVENT = 'client:get_prompts'",
    ],
  ]),
  ...inFile('packages/protocol/src/config-file.ts', [
    ['config.file', 'a name may differ from its key', 'if (name !== key) throw', 'if (false) throw'],
    ['bundle-id.explicit', 'any id', 'const BUNDLE_ID = /^(?!.*__)[A-Za-z0-9_-]+$/;', 'const BUNDLE_ID = /./;'],
  ]),
  ...inFile('packages/protocol/src/events.ts', [
    ['event.namespace', 'another namespace', "SMCP_NAMESPACE = '/smcp'", "SMCP_NAMESPACE = '/a2c'"],
    [
      'event.server.update-tool-list',
      'sent by Agents',
      "'server:update_tool_list': { from: 'computer'",
      "'server:update_tool_list': { from: 'agent'",
    ],
    [
      'event.server.update-config',
      'sent by Agents',
      "'server:update_config': { from: 'computer'",
      "'server:update_config': { from: 'agent'",
    ],
    [
      'event.server.update-desktop',
      'sent by Agents',
      "'server:update_desktop': { from: 'computer'",
      "'server:update_desktop': { from: 'agent'",
    ],
    [
      'event.client.get-config',
      'answered with anything',
      "'client:get_config': { request: GetComputerConfigReq",
      "'client:get_config': { request: GetSkillReq",
    ],
  ]),
  ...inFile('packages/protocol/src/errors.ts', [
    ['error.codes.general', '413 is 414', 'TooLarge: 413', 'TooLarge: 414'],
    ['error.codes.tool', '4005 is 4009', 'ConfirmationRequired: 4005', 'ConfirmationRequired: 4009'],
    ['error.codes.room', '4101 is 4105', 'OfficeFull: 4101', 'OfficeFull: 4105'],
    ['error.codes.room', '4102 is 4105', 'OfficeNotFound: 4102', 'OfficeNotFound: 4105'],
    ['error.codes.room', '4104 is 4105', 'CrossOfficeAccess: 4104', 'CrossOfficeAccess: 4105'],
    ['error.codes.room', '4106 is 4105', 'AgentElsewhere: 4106', 'AgentElsewhere: 4105'],
    ['error.codes.blobs', '4018 is 4009', 'BlobNotAccessible: 4018', 'BlobNotAccessible: 4009'],
    ['error.codes.finder', '4203 is 4209', 'ElementNotFound: 4203', 'ElementNotFound: 4209'],
    ['error.codes.mcp', '4015 is 4009', 'McpCapabilityMissing: 4015', 'McpCapabilityMissing: 4009'],
  ]),
  ...inFile('packages/protocol/src/error-codec.ts', [
    ['error.payload', 'nothing under error', 'details, error: { code, message, details } }', 'details }'],
    [
      'error.decode',
      'the nested form is not read',
      'if (isObject(answer.error) && isErrorHead(answer.error))',
      'if (false)',
    ],
    ['get-resources.errors', 'the capability is not on top', "'mcp_server_name', 'capability']", "'mcp_server_name']"],
    [
      'error.details',
      'the text of an unknown error is sent',
      "new SmcpError(ErrorCode.Internal, 'Internal error')",
      'new SmcpError(ErrorCode.Internal, String((thrown as Error).message))',
    ],
  ]),
  ...inFile('packages/protocol/src/version.ts', [
    ['version.major', 'the major number is free', 'if (client.major !== server.major) return false;', ''],
    ['version.minor', 'a later minor is served', 'client.minor === server.minor', 'client.minor >= server.minor'],
    ['version.stable', 'a newer client is served', 'client.minor <= server.minor', 'true'],
    [
      'version.patch',
      'a newer patch is refused',
      'if (client.major !== server.major)',
      'if (client.major !== server.major || client.patch > server.patch)',
    ],
    ['version.malformed', 'a text is a version', 'if (major === undefined) {', 'if (false) {'],
    ['names.line', 'all Agents speak the oldest line', '>= 0;\n  } catch', '>= 99;\n  } catch'],
  ]),
  ...inFile('packages/protocol/src/tool-results.ts', [
    ['result.timeout-marker', 'no second marker', 'a2c_timeout: true, timeout: true', 'a2c_timeout: true'],
    ['cancel.result', 'no reason', "a2c_cancelled: true, a2c_cancel_reason: 'agent_requested'", 'a2c_cancelled: true'],
    ['exec.timeout', 'another code', 'error_code: ErrorCode.ToolTimeout', 'error_code: ErrorCode.ToolFailed'],
  ]),
  ...inFile('packages/protocol/src/times.ts', [
    ['routing.timeout.get', 'the default is 60 s', 'SERVER_TIMEOUT_MS = 30_000', 'SERVER_TIMEOUT_MS = 60_000'],
    ['routing.timeout.tool-call', 'no slack', 'SERVER_TOOL_SLACK_MS = 5000', 'SERVER_TOOL_SLACK_MS = 0'],
    ['exec.timeout.range', 'two hours are allowed', 'MAX_TIMEOUT_S = 3600', 'MAX_TIMEOUT_S = 7200'],
    ['cancel.grace', 'no grace', 'CANCEL_GRACE_MS = 1000', 'CANCEL_GRACE_MS = 0'],
  ]),
];
