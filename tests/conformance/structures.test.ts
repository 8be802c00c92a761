import * as protocol from '@a2c-smcp/protocol';
import { expect } from 'vitest';
import type * as z from 'zod/mini';
import { verifies } from './verifies.ts';

interface Shape {
  optional?: readonly string[];
  nullable?: readonly string[];
  /** Maps of texts, which take no other values. */
  textMaps?: readonly string[];
  /** Numbers that need not be whole. */
  fractions?: readonly string[];
  /** Texts of which only some are allowed; the value in the full structure is one. */
  choices?: Record<string, readonly string[]>;
}

/** One value of each JSON type. */
const PROBES = { string: 'text', number: 7, boolean: true, array: [], object: {} } as const;
type JsonType = keyof typeof PROBES;

/**
 * Checks field by field which may be absent and which may be null, that no value of another JSON type than that of `full`
 * is accepted, and that unknown fields survive. Lists in `full` say which type their items have.
 */
function checkShape(
  schema: z.ZodMiniType,
  full: Record<string, unknown>,
  { optional = [], nullable = [], textMaps = [], fractions = [], choices = {} }: Shape,
): void {
  const accepts = (value: unknown) => schema.safeParse(value).success;
  expect(schema.parse({ ...full, from_a_newer_peer: 1 })).toEqual({ ...full, from_a_newer_peer: 1 });
  for (const [field, value] of Object.entries(full)) {
    const { [field]: _, ...without } = full;
    const takes = (given: unknown) => accepts({ ...full, [field]: given });
    expect([field, 'absent', accepts(without)]).toEqual([field, 'absent', optional.includes(field)]);
    expect([field, 'null', takes(null)]).toEqual([field, 'null', nullable.includes(field)]);
    for (const wrong of wrongValues(value)) expect([field, wrong, takes(wrong)]).toEqual([field, wrong, false]);
    for (const entry of textMaps.includes(field) ? wrongValues('text') : []) {
      expect([field, entry, takes({ ...(value as object), entry })]).toEqual([field, entry, false]);
    }
    if (typeof value === 'number') expect([field, takes(1.5)]).toEqual([field, fractions.includes(field)]);
    for (const choice of choices[field] ?? []) expect([field, choice, takes(choice)]).toEqual([field, choice, true]);
    if (field in choices) expect([field, takes('another')]).toEqual([field, false]);
  }
}

/** Values that have not the type of a sound one. */
function wrongValues(value: unknown): unknown[] {
  const others = Object.values(PROBES).filter(probe => typeOf(probe) !== typeOf(value));
  const items = Array.isArray(value) && value.length > 0 ? wrongValues(value[0]).map(item => [...value, item]) : [];
  return [...others, ...items];
}

function typeOf(value: unknown): JsonType {
  return Array.isArray(value) ? 'array' : (typeof value as JsonType);
}

const agentCall = { agent: 'a1', req_id: 'r1' };
const computerCall = { ...agentCall, computer: 'c1' };

verifies('struct.agent-call-data', () => checkShape(protocol.AgentCallData, agentCall, {}));

verifies('struct.tool-call-req', () => {
  const request = { ...computerCall, tool_name: 'echo', params: { any: [1, null] }, timeout: 30 };
  checkShape(protocol.ToolCallReq, request, {});
  for (const timeout of [0, -1, 2.5, '30', 3601]) {
    expect(protocol.ToolCallReq.safeParse({ ...request, timeout }).success).toBe(false);
  }
});

const tool = { name: 'n', description: '', params_schema: {}, return_schema: {}, meta: {} };

verifies('struct.smcp-tool', () => {
  checkShape(protocol.SMCPTool, tool, { optional: ['meta'], nullable: ['return_schema', 'meta'] });
});

verifies('struct.attributes', () => {
  for (const value of ['x', true, 1, 1.5, null, ['a', 'b'], [1, 2], [true], []]) {
    expect(protocol.Attributes.safeParse({ key: value }).success).toBe(true);
  }
  for (const value of [{}, { a: 1 }, [['a']], ['a', 1], [{}]]) {
    expect(protocol.Attributes.safeParse({ key: value }).success).toBe(false);
  }
});

verifies('struct.tool-meta', () => {
  const fields = ['auto_apply', 'alias', 'tags', 'ret_object_mapper'];
  const meta = { auto_apply: true, alias: 'greet', tags: ['t1'], ret_object_mapper: { any: 1 } };
  checkShape(protocol.ToolMeta, meta, { optional: fields, nullable: fields });
});

verifies('struct.get-tools', () => {
  checkShape(protocol.GetToolsReq, computerCall, {});
  checkShape(protocol.GetToolsRet, { tools: [tool], req_id: 'r1' }, {});
});

verifies('struct.aliases', () => {
  for (const alias of [protocol.SERVER_NAME, protocol.TOOL_NAME, protocol.Desktop]) {
    expect(alias.parse('x')).toBe('x');
    for (const other of [1, true, null, ['x'], { x: 1 }]) expect(alias.safeParse(other).success).toBe(false);
  }
});

verifies('struct.office-req', () => {
  const request = { role: 'agent', name: 'a1', office_id: 'o1' };
  checkShape(protocol.EnterOfficeReq, request, { choices: { role: ['agent', 'computer'] } });
  checkShape(protocol.LeaveOfficeReq, { office_id: 'o1' }, {});
});

verifies('struct.office-notification', () => {
  const full = { office_id: 'o1', computer: 'c1', agent: 'a1' };
  const shape = { optional: ['office_id', 'computer', 'agent'], nullable: ['computer', 'agent'] };
  checkShape(protocol.EnterOfficeNotification, full, shape);
  checkShape(protocol.LeaveOfficeNotification, full, shape);
});

verifies('struct.list-room', () => {
  checkShape(protocol.ListRoomReq, { ...agentCall, office_id: 'o1' }, {});
  checkShape(protocol.ListRoomRet, { sessions: [{}], req_id: 'r1' }, {});
});

verifies('struct.session-info', () => {
  const session = { sid: 's', name: 'n', role: 'agent', office_id: 'o1', a2c_version: '0.2.0' };
  checkShape(protocol.SessionInfo, session, {
    optional: Object.keys(session),
    nullable: ['a2c_version'],
    choices: { role: ['agent', 'computer'] },
  });
});

verifies('struct.update', () => {
  checkShape(protocol.UpdateComputerConfigReq, { computer: 'c1' }, {});
  checkShape(protocol.UpdateFinderReq, { computer: 'c1', uris: ['u'] }, { optional: ['uris'] });
  checkShape(protocol.UpdateMCPConfigNotification, { computer: 'c1' }, { optional: ['computer'] });
  checkShape(protocol.UpdateToolListNotification, { computer: 'c1' }, { optional: ['computer'] });
});

const server = { name: 's', type: 'stdio', server_parameters: { command: 'x' } };

verifies('struct.get-config', () => {
  expect(protocol.GetComputerConfigRet.safeParse({ servers: { s: 'x' } }).success).toBe(false);
  checkShape(protocol.GetComputerConfigReq, computerCall, {});
  checkShape(
    protocol.GetComputerConfigRet,
    { inputs: [{ id: 'i', description: 'd', type: 'promptString' }], servers: { s: server } },
    { optional: ['inputs'], nullable: ['inputs'] },
  );
  expect(Object.keys(protocol.GetComputerConfigRet.shape)).not.toContain('req_id');
});

verifies('struct.get-desktop', () => {
  const request = { ...computerCall, desktop_size: 3, window: 'window://h' };
  // Null means no limit, and the Python SDK sends it.
  const fields = ['desktop_size', 'window'];
  checkShape(protocol.GetDeskTopReq, request, { optional: fields, nullable: fields });
  checkShape(protocol.GetDeskTopRet, { desktops: ['x'], req_id: 'r1' }, { optional: ['desktops', 'req_id'] });
});

const base = { disabled: false, forbidden_tools: ['t'], tool_meta: {}, default_tool_meta: {}, vrl: '' };
const defaulted = ['disabled', 'forbidden_tools', 'tool_meta'];
const optional = ['default_tool_meta', 'vrl'];

verifies('struct.server-config', () => {
  const config = { name: 'n', ...base, type: 'stdio', server_parameters: { command: 'x' } };
  checkShape(protocol.MCPServerConfig, config, {
    optional: [...defaulted, ...optional],
    nullable: optional,
    choices: { type: ['stdio'] },
  });
  const written = protocol.completeServerConfig({ name: 'n', type: 'sse', server_parameters: { url: 'u' } });
  expect(Object.keys(written)).toEqual(expect.arrayContaining([...defaulted, ...optional]));
});

verifies('struct.server-config.stdio', () => {
  const parameters = {
    command: 'x',
    args: ['y'],
    env: { A: 'b' },
    cwd: '/',
    encoding: 'utf-8',
    encoding_error_handler: 'strict',
  };
  const { command: _, ...rest } = parameters;
  checkShape(protocol.MCPServerStdioParameters, parameters, {
    optional: Object.keys(rest),
    nullable: ['env', 'cwd'],
    textMaps: ['env'],
    choices: { encoding_error_handler: ['strict', 'ignore', 'replace'] },
  });
});

verifies('struct.server-config.streamable', () => {
  const parameters = {
    url: 'u',
    headers: { a: 1 },
    timeout: 'PT30S',
    sse_read_timeout: 'PT5M',
    terminate_on_close: true,
  };
  const { url: _, ...rest } = parameters;
  checkShape(protocol.MCPServerStreamableHttpParameters, parameters, {
    optional: Object.keys(rest),
    nullable: ['headers'],
  });
});

verifies('struct.server-config.sse', () => {
  const parameters = { url: 'u', headers: {}, timeout: 5, sse_read_timeout: 300 };
  const { url: _, ...rest } = parameters;
  checkShape(protocol.MCPSSEParameters, parameters, {
    optional: Object.keys(rest),
    nullable: ['headers'],
    fractions: ['timeout', 'sse_read_timeout'],
  });
});

const input = { id: 'i', description: 'd' };

verifies('struct.input.prompt-string', () => {
  const fields = ['default', 'password'];
  const full = { ...input, type: 'promptString', default: 'x', password: true };
  checkShape(protocol.MCPServerInput, full, { optional: fields, nullable: fields });
});

verifies('struct.input.pick-string', () => {
  const full = { ...input, type: 'pickString', options: ['x'], default: 'x' };
  checkShape(protocol.MCPServerInput, full, { optional: ['default'], nullable: ['default'] });
  const pairs = { ...full, options: [{ label: 'X', value: 'x' }] };
  expect(protocol.MCPServerInput.parse(pairs)).toEqual(pairs);
  const halves = [{ label: 'X' }, { value: 'x' }, 7, null];
  for (const half of halves)
    expect(protocol.MCPServerInput.safeParse({ ...full, options: [half] }).success).toBe(false);
});

verifies('struct.input.command', () => {
  const full = { ...input, type: 'command', command: 'git', args: { 'rev-parse': 'HEAD' } };
  checkShape(protocol.MCPServerInput, full, { optional: ['args'], nullable: ['args'], textMaps: ['args'] });
});

const hit = { uri: 'u', doc_ref: 'd', page_index: 0, title: 't', passage: 'p', score: 0.5, server: 's' };

verifies('struct.hit', () => {
  checkShape(protocol.DPEHit, hit, { fractions: ['score'] });
});

verifies('struct.get-finder', () => {
  const filters = { keywords: ['k'], file_type: 'pdf', offset: 0, limit: 20, content: 'c' };
  const fields = Object.keys(filters);
  checkShape(protocol.GetFinderReq, { ...computerCall, ...filters }, { optional: fields, nullable: fields });
  const document = { doc_ref: 'd', uri: 'u', file_uri: '', file_type: '', title: 't', page_count: 1, server: 's' };
  const search = { hits: [hit], pending: 0, unsearched: ['s'] };
  const answer = { documents: [document], total_count: 0, ...search, req_id: 'r1' };
  checkShape(protocol.GetFinderRet, answer, { optional: Object.keys(answer) });
});

verifies('struct.document-summary', () => {
  const facts = { keywords: ['k'], summary: 's', last_modified: '2026-01-15T08:30:00Z' };
  const summary = {
    doc_ref: 'd',
    uri: 'dpe://h/d',
    file_uri: '',
    file_type: 'pdf',
    title: 't',
    page_count: 3,
    server: 's',
    ...facts,
  };
  checkShape(protocol.DPEDocumentSummary, summary, { optional: Object.keys(facts) });
});

verifies('struct.page-summary', () => {
  const page = { page_index: 0, title: 't', element_count: 4, uri: 'dpe://h/d/pages/0', doc_ref: 'd', hash: 'h' };
  checkShape(protocol.DPEPageSummary, page, { optional: ['doc_ref', 'hash'] });
});

verifies('struct.element-detail', () => {
  const facts = { summary: 's', doc_ref: 'd', page_index: 0, uri: 'u', metadata: {} };
  const element = { element_id: 'e', category: 'table', content: { headers: [], rows: [] }, ...facts };
  checkShape(protocol.DPEElementDetail, element, { optional: Object.keys(facts) });
});

verifies('struct.get-resources', () => {
  const request = { ...computerCall, mcp_server: 'files', cursor: 'c' };
  checkShape(protocol.GetResourcesReq, request, { optional: ['cursor'], nullable: ['cursor'] });
  const answer = { resources: [{ uri: 'x', annotations: { priority: 7 } }], next_cursor: 'c', req_id: 'r1' };
  checkShape(protocol.GetResourcesRet, answer, { optional: ['next_cursor'], nullable: ['next_cursor'] });
});

verifies('struct.read', () => {
  const dpe = { ...computerCall, uri: 'dpe://h/d', timeout: 5 };
  checkShape(protocol.GetDpeReq, dpe, { optional: ['timeout'], nullable: ['timeout'] });
  const more = ['timeout', 'mcp_server'];
  checkShape(protocol.ReadResourceReq, { ...dpe, mcp_server: 'files' }, { optional: more, nullable: more });
  for (const schema of [protocol.GetDpeRet, protocol.ReadResourceRet]) {
    checkShape(schema, { contents: [{ uri: 'dpe://h/d', text: '{}' }], req_id: 'r1' }, {});
  }
});

verifies('struct.get-prompts', () => {
  const more = ['mcp_server', 'cursor'];
  const request = { ...computerCall, mcp_server: 'files', cursor: 'c' };
  checkShape(protocol.GetPromptsReq, request, { optional: more, nullable: more });
  const prompt = { name: 'p', mcp_server: 'files' };
  const answer = { prompts: [prompt], next_cursor: 'c', req_id: 'r1' };
  checkShape(protocol.GetPromptsRet, answer, { optional: ['next_cursor'], nullable: ['next_cursor'] });
  checkShape(protocol.Prompt, prompt, {});
});

verifies('struct.get-prompt', () => {
  const request = { ...computerCall, mcp_server: 'files', name: 'p', arguments: { a: '1' }, timeout: 5 };
  const more = ['arguments', 'timeout'];
  checkShape(protocol.GetPromptReq, request, { optional: more, nullable: more });
  expect(protocol.GetPromptReq.safeParse({ ...request, arguments: { a: 1 } }).success).toBe(false);
  const message = { role: 'user', content: { type: 'text', text: 'x' } };
  const answer = { description: 'd', messages: [message], req_id: 'r1' };
  checkShape(protocol.GetPromptRet, answer, { optional: ['description'], nullable: ['description'] });
  checkShape(protocol.PromptMessage, message, {});
});

verifies('config.type', () => {
  for (const type of ['http', 'HTTP', 'Http', 'streamable']) {
    const config = protocol.MCPServerConfig.parse({ name: 'n', type, server_parameters: { url: 'u' } });
    expect(protocol.completeServerConfig(config).type).toBe('streamable');
  }
});

verifies('config.defaults', () => {
  const config = protocol.MCPServerConfig.parse({ name: 'n', type: 'stdio', server_parameters: { command: 'x' } });
  expect(protocol.completeServerConfig(config)).toMatchObject({
    disabled: false,
    forbidden_tools: [],
    tool_meta: {},
    server_parameters: { args: [], env: null, cwd: null, encoding: 'utf-8', encoding_error_handler: 'strict' },
  });
});
