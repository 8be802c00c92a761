import { createHash } from 'node:crypto';
import { type Handler, serve } from '@a2c-smcp/core';
import { type Channel, Peer } from '@a2c-smcp/peer';
import {
  type CallToolResult,
  type ClientEvent,
  type DPEDocumentSummary,
  ErrorCode,
  type GetBlobRet,
  type GetComputerConfigRet,
  type GetFinderRet,
  type RequestOf,
  type ResourceContents,
  type SMCPTool,
  SmcpError,
} from '@a2c-smcp/protocol';

/** Runs one tool; the signal fires when the call is cancelled. */
export type Script = (params: Record<string, unknown>, signal: AbortSignal) => CallToolResult | Promise<CallToolResult>;

export interface ScriptedComputerOptions {
  name?: string;
  office?: string;
  tools?: Record<string, Script>;
}

/** A Computer without MCP servers: a member of a real office with scripted answers. */
export class ScriptedComputer implements AsyncDisposable {
  readonly name: string;
  readonly tools: Map<string, Script>;
  /** Further fields of tools, by name. */
  readonly descriptions = new Map<string, Partial<SMCPTool>>();
  readonly config: GetComputerConfigRet = { servers: {} };
  readonly documents: DPEDocumentSummary[] = [];
  /** The answer to a search for `content`, which a Computer without one ignores. */
  hits: Pick<GetFinderRet, 'hits' | 'pending' | 'unsearched'> | undefined;
  readonly windows: string[] = [];
  /** Bodies of `dpe://` and other resources, by URI. */
  readonly resources = new Map<string, ResourceContents[]>();
  /** Bytes by handle. */
  readonly blobs = new Map<string, Uint8Array>();
  /** The most bytes of a part. */
  partBytes = 256 * 1024;
  /** Changes a part before it is sent. */
  alterPart: (part: GetBlobRet) => GetBlobRet | Promise<GetBlobRet> = part => part;
  /** The received requests, in order. */
  readonly asked: { event: ClientEvent; request: RequestOf<ClientEvent> }[] = [];
  /** The ids of the cancelled calls. */
  readonly cancelled: string[] = [];
  /** Called before each answer; its result is awaited. */
  beforeAnswer: (event: ClientEvent) => unknown = () => {};
  readonly #running = new Map<string, AbortController>();
  #peer: Peer | undefined;

  private constructor(name: string, tools: Record<string, Script>) {
    this.name = name;
    this.tools = new Map(Object.entries(tools));
  }

  static async join(url: string, options: ScriptedComputerOptions = {}): Promise<ScriptedComputer> {
    const { name = 'desk', office = 'demo', tools = {} } = options;
    const computer = new ScriptedComputer(name, tools);
    const prepare = (channel: Channel) => computer.#answerOn(channel);
    computer.#peer = await Peer.join(url, { role: 'computer', name, office, prepare });
    return computer;
  }

  /** Announces a change to the office. */
  announce(topic: 'config' | 'tool_list' | 'desktop' | 'finder', more: { uris?: string[] } = {}): void {
    this.#peer?.emit(`server:update_${topic}`, { computer: this.name, ...more });
  }

  /** The received requests of one event. */
  askedFor<E extends ClientEvent>(event: E): RequestOf<E>[] {
    return this.asked.filter(asked => asked.event === event).map(({ request }) => request as RequestOf<E>);
  }

  async close(): Promise<void> {
    await this.#peer?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #answerOn(channel: Channel): void {
    const answer = <E extends ClientEvent>(event: E, handler: Handler<E>) =>
      serve(channel, event, async request => {
        this.asked.push({ event, request });
        await this.beforeAnswer(event);
        return handler(request);
      });
    answer('client:tool_call', request => this.#run(request));
    answer('client:get_tools', ({ req_id }) => ({ tools: this.#describeTools(), req_id }));
    answer('client:get_config', () => this.config);
    answer('client:get_desktop', ({ req_id, desktop_size, window }) => {
      const wanted = this.windows.filter(text => !window || text.split('\n')[0] === window);
      return { desktops: wanted.slice(0, desktop_size ?? undefined), req_id };
    });
    answer('client:get_finder', ({ req_id, keywords, offset, limit, content }) => {
      if (this.hits && content) return { documents: this.documents, total_count: 9, ...this.hits, req_id };
      const found = this.documents.filter(({ title }) => (keywords ?? []).every(keyword => title.includes(keyword)));
      const from = offset ?? 0;
      return { documents: found.slice(from, from + (limit ?? 20)), total_count: found.length, req_id };
    });
    answer('client:get_resources', ({ req_id, cursor }) => {
      const resources = [...this.resources.keys()].map(uri => ({ uri }));
      const from = Number(cursor ?? 0);
      const next_cursor = from + 1 < resources.length ? String(from + 1) : null;
      return { resources: resources.slice(from, from + 1), next_cursor, req_id };
    });
    answer('client:get_dpe', ({ req_id, uri }) => ({ contents: this.#read(uri), req_id }));
    answer('client:read_resource', ({ req_id, uri }) => ({ contents: this.#read(uri), req_id }));
    answer('client:get_blob', request => this.alterPart(this.#part(request)));
    channel.on('notify:tool_call_cancel', ({ req_id }) => {
      this.cancelled.push(req_id);
      this.#running.get(req_id)?.abort();
    });
  }

  #describeTools(): SMCPTool[] {
    return [...this.tools.keys()].map(name => ({
      name,
      description: `Runs ${name}`,
      params_schema: { type: 'object' },
      return_schema: null,
      meta: {},
      ...this.descriptions.get(name),
    }));
  }

  #read(uri: string): ResourceContents[] {
    const contents = this.resources.get(uri);
    if (!contents) throw new SmcpError(ErrorCode.DocumentNotFound, `No resource '${uri}'`);
    return contents;
  }

  #part({ blob_handle, chunk_offset, max_chunk_bytes, req_id }: RequestOf<'client:get_blob'>): GetBlobRet {
    const bytes = this.blobs.get(blob_handle);
    if (!bytes) throw new SmcpError(ErrorCode.BlobNotAccessible, 'It is gone', { details: { reason: 'gone' } });
    const offset = chunk_offset ?? 0;
    const part = bytes.subarray(offset, offset + Math.min(this.partBytes, max_chunk_bytes ?? this.partBytes));
    return {
      blob_handle,
      mime_type: 'image/png',
      total_size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      chunk_offset: offset,
      eof: offset + part.length === bytes.length,
      blob: Buffer.from(part).toString('base64'),
      req_id,
    };
  }

  async #run({ req_id, tool_name, params }: RequestOf<'client:tool_call'>): Promise<CallToolResult> {
    const script = this.tools.get(tool_name);
    if (!script) return { content: [{ type: 'text', text: `No tool '${tool_name}'` }], isError: true };
    const controller = new AbortController();
    this.#running.set(req_id, controller);
    try {
      return await script(params, controller.signal);
    } finally {
      this.#running.delete(req_id);
    }
  }
}

/** A result with one text. */
export function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] };
}
