import { type ForeignServer, openForeignServer } from '../peer/foreign-server.ts';

/** Escapes, OSC 8 links, C1 controls, bidi and zero-width marks, combining marks, tabs, CR, DEL and a lone surrogate. */
export const EVIL = `evil\u001b]8;;http://x\u0007\u001b[2J\u009b2J\u0085\u202e\u2066\u061c\u200b\ufeff\u2028\t\r\n\u007fe${'\u0301'.repeat(500)}\ud800`;

/** True if a text for a terminal holds anything but visible characters, line breaks and tabs. */
export const STEERS = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff]|\p{M}{9}/u;

/** Three zeros. */
const BLOB = {
  blob: 'AAAA',
  total_size: 3,
  sha256: '709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c',
};

type Answers = Record<string, (request: Record<string, unknown>) => unknown>;

/** A Server that answers every request itself, with hostile texts in every place that a person reads. */
export function openEvilServer(more: Answers = {}, name = `desk${EVIL}`): Promise<ForeignServer> {
  const tool = { name: `calculat${EVIL.slice(4, 6)}`, description: EVIL, params_schema: schema(), return_schema: null };
  const document = {
    doc_ref: EVIL,
    uri: EVIL,
    file_uri: '',
    file_type: EVIL,
    title: EVIL,
    page_count: 1,
    server: EVIL,
  };
  const facts = { ...document, uri: 'dpe://h/d', keywords: [EVIL], summary: EVIL, last_modified: EVIL };
  const pages = [{ page_index: 0, title: EVIL, element_count: 1, uri: EVIL }];
  const answers: Answers = {
    'server:list_room': () => ({
      sessions: [{ sid: EVIL, role: 'computer', name, a2c_version: EVIL, office_id: EVIL }],
    }),
    'client:get_tools': () => ({ tools: [tool, { ...tool, name: 'run' }] }),
    'client:tool_call': () => ({
      content: [
        { type: 'text', text: EVIL },
        { type: 'image', mimeType: EVIL, data: 'AAAA' },
        { type: EVIL, x: EVIL },
      ],
      structuredContent: { [EVIL]: EVIL },
    }),
    'client:get_desktop': () => ({ desktops: [`window://h/${EVIL}\n\n${EVIL}`] }),
    'client:get_finder': () => ({ documents: [document], total_count: 1 }),
    'client:get_dpe': () => ({
      contents: [{ uri: 'dpe://h/d', text: JSON.stringify({ ...facts, pages, total_pages: 1 }) }],
    }),
    'client:read_resource': () => ({
      contents: [
        { uri: EVIL, text: EVIL },
        { uri: EVIL, mimeType: EVIL, blob: 'AAAA' },
      ],
    }),
    'client:get_config': () => ({
      servers: { [EVIL]: { name: EVIL, type: 'stdio', server_parameters: { command: EVIL, args: [EVIL] } } },
      inputs: [{ id: EVIL, type: 'promptString', description: EVIL }],
    }),
    'client:get_resources': () => ({ resources: [{ uri: EVIL, name: EVIL, mimeType: EVIL }], next_cursor: EVIL }),
    'client:get_prompts': () => ({
      prompts: [
        { name: EVIL, mcp_server: EVIL, description: EVIL, arguments: [{ name: EVIL }] },
        { name: 'calm', mcp_server: EVIL },
      ],
    }),
    'client:get_prompt': () => ({
      description: EVIL,
      messages: [{ role: EVIL, content: { type: 'text', text: EVIL } }],
    }),
    'client:get_skills': () => ({
      skills: [{ name: EVIL, source: EVIL, path: EVIL, description: EVIL }],
    }),
    'client:get_skill': ({ name, rel_path }) => {
      const facts = { name, rel_path: rel_path ?? 'SKILL.md', mime_type: EVIL, total_size: 3, sha256: '' };
      return rel_path ? { ...facts, blob_handle: 'h' } : { ...facts, body: `${EVIL} \${TFROBOT_SKILL_DIR}` };
    },
    'client:get_blob': () => ({ ...BLOB, blob_handle: 'h', mime_type: EVIL, chunk_offset: 0, eof: true }),
    ...more,
  };
  return openForeignServer({
    connected(socket) {
      for (const event of ['server:join_office', 'server:leave_office']) socket.on(event, (_, ack) => ack(true, null));
      for (const [event, respond] of Object.entries(answers)) {
        socket.on(event, (request, answer) => answer?.({ req_id: request.req_id, ...Object(respond(request)) }));
      }
    },
  });
}

function schema(): object {
  return { type: 'object', properties: { [EVIL]: { type: 'string' }, constructor: {} } };
}
