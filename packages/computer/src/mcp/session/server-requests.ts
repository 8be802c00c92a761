import {
  type Client,
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  type Root,
} from '@modelcontextprotocol/client';
import { type ElicitationOptions, elicitationCapability, serveElicitation } from './elicitation.ts';
import { OpenCalls } from './open-calls.ts';
import { type Sample, serveSampling } from './sampling.ts';

export interface ServerRequestsOptions extends ElicitationOptions {
  /** Asks a model. Without it sampling is refused. */
  sample?: Sample | undefined;
  /** Without any, `roots/list` is refused. */
  roots: readonly Root[];
}

/** Answers to requests that were not offered. Servers of 2026 cannot send them. */
const REFUSALS: Record<string, string> = {
  'elicitation/create':
    'Nobody can be asked on this computer. Its owner can run it at a terminal, or give it a face for questions',
  'sampling/createMessage':
    'This computer offers no model. Its owner can pass one to it as `sample`; else use a model of your own',
  'roots/list': "This computer names no folders. Its owner can list them in the field 'roots' of this MCP server",
};

/** Answers what one MCP server asks of its client: questions for a person, completions, folders. */
export class ServerRequests {
  readonly capabilities: ClientCapabilities;
  /** Undefined when the server may ask nothing during calls. */
  readonly calls: OpenCalls | undefined;
  readonly #options: ServerRequestsOptions;

  constructor(options: ServerRequestsOptions) {
    const { questions, sample, roots } = options;
    this.#options = options;
    this.capabilities = {
      ...elicitationCapability(questions),
      ...(sample ? { sampling: {} } : {}),
      ...(roots.length > 0 ? { roots: {} } : {}),
    };
    const { elicitation, sampling } = this.capabilities;
    if (elicitation || sampling) this.calls = new OpenCalls();
  }

  /** Must be called before the client connects. */
  serve(client: Client): void {
    const { server, sample, roots } = this.#options;
    const { calls } = this;
    if (calls && this.capabilities.elicitation) serveElicitation(client, this.#options, calls);
    if (calls && sample) serveSampling(client, sample, { server, calls });
    if (roots.length > 0) client.setRequestHandler('roots/list', () => ({ roots: [...roots] }));
    client.fallbackRequestHandler = async ({ method }) => {
      const message = Object.hasOwn(REFUSALS, method) ? REFUSALS[method] : undefined;
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, message ?? 'Method not found');
    };
  }
}
