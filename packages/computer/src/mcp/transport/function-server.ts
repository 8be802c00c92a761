import { isObject } from '@a2c-smcp/core';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { LocalMcpServer } from './local.ts';

/** A tool that is a function of this process. */
export interface LocalTool {
  description?: string;
  /** The JSON Schema of `params`. @default any object */
  schema?: Record<string, unknown>;
  /** MCP's hints about the tool, such as `destructiveHint`. */
  annotations?: Record<string, unknown>;
  /** Asks `confirm` before each call. @default false: the function is code of the Computer's owner */
  needsConfirmation?: boolean;
  /**
   * Runs the tool. A text becomes the text of the result, an object with `content` the result itself, any other value its
   * JSON. A thrown error becomes a failed result with its message.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what `schema` says
  run(params: Record<string, any>, context: LocalToolContext): unknown;
}

export interface LocalToolContext {
  /** Fires when the call was cancelled. */
  signal: AbortSignal;
  /** Reports how far the call is, to a caller that wants to know. */
  progress(report: { progress: number; total?: number; message?: string }): void;
}

const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

/** The part of MCP's messages that is read here. */
interface Incoming {
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
}

/** An MCP server whose tools are functions. */
export function functionServer(tools: Readonly<Record<string, LocalTool>>): LocalMcpServer {
  return {
    async connect(transport) {
      const session = new FunctionSession(tools, transport);
      transport.onmessage = message => session.receive(message as Incoming);
      transport.onclose = () => session.close();
      await transport.start();
    },
  };
}

class FunctionSession {
  readonly #tools: Readonly<Record<string, LocalTool>>;
  readonly #transport: Transport;
  readonly #running = new Map<unknown, AbortController>();

  constructor(tools: Readonly<Record<string, LocalTool>>, transport: Transport) {
    this.#tools = tools;
    this.#transport = transport;
  }

  receive({ id, method, params = {} }: Incoming): void {
    if (method === 'notifications/cancelled') this.#running.get(params.requestId)?.abort();
    if (id === undefined || method === undefined) return;
    void this.#answer(id, method, params);
  }

  close(): void {
    for (const running of this.#running.values()) running.abort();
  }

  async #answer(id: string | number, method: string, params: Record<string, unknown>): Promise<void> {
    try {
      this.#send({ id, result: await this.#handle(id, method, params) });
    } catch (error) {
      const { code, message } = error as RequestError;
      this.#send({ id, error: { code: code ?? INVALID_PARAMS, message } });
    }
  }

  async #handle(id: string | number, method: string, params: Record<string, unknown>): Promise<object> {
    switch (method) {
      case 'initialize': {
        const { protocolVersion } = params;
        return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'functions', version: '1' } };
      }
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: Object.entries(this.#tools).map(([name, tool]) => describe(name, tool)) };
      case 'tools/call':
        return this.#call(id, params);
      default:
        throw new RequestError(METHOD_NOT_FOUND, `Unknown method '${method}'`);
    }
  }

  async #call(id: string | number, { name, arguments: params, _meta }: Record<string, unknown>): Promise<object> {
    const tool = Object.hasOwn(this.#tools, String(name)) ? this.#tools[String(name)] : undefined;
    if (!tool) throw new RequestError(INVALID_PARAMS, `Unknown tool '${name}'`);
    const abort = new AbortController();
    const progressToken = isObject(_meta) ? _meta.progressToken : undefined;
    const progress: LocalToolContext['progress'] = report => {
      if (progressToken === undefined) return;
      this.#send({ method: 'notifications/progress', params: { ...report, progressToken } });
    };
    this.#running.set(id, abort);
    try {
      return toResult(await tool.run(isObject(params) ? params : {}, { signal: abort.signal, progress }));
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      return { content: [{ type: 'text', text }], isError: true };
    } finally {
      this.#running.delete(id);
    }
  }

  #send(message: object): void {
    // A call may end after its session.
    this.#transport.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage).catch(() => {});
  }
}

class RequestError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

function describe(name: string, { description, schema = { type: 'object' }, annotations }: LocalTool): object {
  return { name, description, inputSchema: schema, ...(annotations ? { annotations } : {}) };
}

/** Copied, so that the function cannot change a result that it has given. */
function toResult(value: unknown): object {
  if (isObject(value) && Array.isArray(value.content)) return JSON.parse(JSON.stringify(value));
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return { content: [{ type: 'text', text }] };
}
