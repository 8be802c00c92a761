import type { Logger } from '@a2c-smcp/core';
import {
  type CompleteResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ResourceChange } from './changes.ts';
import { guardRequest } from './guard-request.ts';

/** A server of the official SDK, of either kind. */
export type AnyServer = Server | McpServer;

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  /** Called now and then with the share that is done, from 0 to 1. */
  onProgress?: ((share: number) => void) | undefined;
}

/** Resources that are published together. */
export interface Publication {
  /** As in `window`. A URI of this scheme that nothing owns is read here, to be refused. */
  readonly scheme: string;
  readonly templates: readonly ResourceTemplateType[];
  /** True if it declares and announces changes. */
  readonly isLive: boolean;
  owns(uri: string): boolean;
  list(cursor: string | undefined, options: RequestOptions): Promise<{ resources: Resource[]; nextCursor?: string }>;
  read(uri: string, options: RequestOptions): Promise<ReadResourceResult['contents']>;
  /** Values for an argument of one of the templates. */
  complete?(argument: { name: string; value: string }, known?: Record<string, string>): Promise<Completion>;
  /** True if a client that subscribed to `uri` is to be told of these updates. */
  concerns(uri: string, updated: readonly string[]): boolean;
  onChange(listener: (change: ResourceChange) => void): () => void;
  /** Announces pending changes now. */
  flush(): void;
}

export type Completion = CompleteResult['completion'];

const SHARED_METHODS = [
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
] as const;
type SharedMethod = (typeof SHARED_METHODS)[number];
type Handler = (request: never, context: ServerContext) => unknown;

/** From this revision on, clients listen to a stream that the SDK filters; before, they subscribe to single URIs. */
const FIRST_MODERN_REVISION = '2026-07-28';

const published = new WeakMap<Server, PublishedResources>();

/** Adds resources to a server that is not connected yet. */
export function publish(
  server: AnyServer,
  publication: Publication,
  { logger }: { logger?: Logger | undefined },
): void {
  const lowLevel = 'server' in server ? server.server : server;
  const resources = published.get(lowLevel) ?? new PublishedResources(lowLevel, logger);
  published.set(lowLevel, resources);
  resources.add(publication);
}

/**
 * All resources of one server: the publications, and those for which the author sets handlers or calls
 * `registerResource`. Handlers that are set later are kept and called for everything that no publication owns.
 */
class PublishedResources {
  readonly #server: Server;
  /** The SDK's own, which the author's calls no longer reach for the methods here. */
  readonly #set: Server['setRequestHandler'];
  readonly #logger: Logger | undefined;
  readonly #publications: Publication[] = [];
  readonly #authors = new Map<string, Handler>();
  /** URIs that a client of 2025 subscribed to. */
  readonly #subscriptions = new Set<string>();

  constructor(server: Server, logger: Logger | undefined) {
    this.#server = server;
    this.#set = server.setRequestHandler.bind(server);
    this.#logger = logger;
    if (server.transport !== undefined) throw new TypeError('Publish windows and documents before the server connects');
    try {
      for (const method of SHARED_METHODS) server.assertCanSetRequestHandler(method);
    } catch (cause) {
      const message =
        'Publish windows and documents before resources are registered, and leave `resources` out of the capabilities ' +
        'of the server: it is declared here';
      throw new TypeError(message, { cause });
    }
    server.registerCapabilities({ resources: {} });
    this.#setHandlers();
    this.#keepHandlersOfAuthor();
  }

  add(publication: Publication): void {
    const { isLive, complete } = publication;
    if (isLive) this.#server.registerCapabilities({ resources: { subscribe: true, listChanged: true } });
    if (complete !== undefined) {
      this.#server.registerCapabilities({ completions: {} });
      this.#setCompletionHandler();
    }
    this.#publications.push(publication);
    const stop = publication.onChange(change => this.#announce(publication, change));
    const { onclose } = this.#server;
    this.#server.onclose = () => {
      stop();
      onclose?.();
    };
  }

  #setHandlers(): void {
    this.#set('resources/list', ({ params }, context) => this.#list(params?.cursor, context));
    this.#set('resources/templates/list', async (request, context) => {
      const others = await this.#ask('resources/templates/list', request, context);
      const ours = this.#publications.flatMap(({ templates }) => [...templates]);
      return { ...others, resourceTemplates: [...ours, ...(others?.resourceTemplates ?? [])] };
    });
    this.#set('resources/read', async (request, context) => {
      const { uri } = request.params;
      const owner = this.#publications.find(publication => publication.owns(uri));
      if (owner === undefined && this.#authors.has('resources/read')) {
        const result = await this.#ask('resources/read', request, context);
        return result as ReadResourceResult;
      }
      const asked = owner ?? this.#publications.find(({ scheme }) => uri.startsWith(`${scheme}:`));
      if (asked === undefined) throw new ResourceNotFoundError(uri);
      const options = requestOptions(context);
      return { contents: await guardRequest(() => asked.read(uri, options), { ...options, logger: this.#logger }) };
    });
    this.#set('resources/subscribe', async (request, context) => {
      const { uri } = request.params;
      if (this.#isOurs(uri)) this.#subscriptions.add(uri);
      else await this.#ask('resources/subscribe', request, context);
      return {};
    });
    this.#set('resources/unsubscribe', async (request, context) => {
      const { uri } = request.params;
      if (!this.#subscriptions.delete(uri)) await this.#ask('resources/unsubscribe', request, context);
      return {};
    });
  }

  #setCompletionHandler(): void {
    this.#set('completion/complete', async (request, context) => {
      const { ref, argument, context: known } = request.params;
      const template = ref.type === 'ref/resource' ? ref.uri : undefined;
      const owner = this.#publications.find(({ templates }) =>
        templates.some(({ uriTemplate }) => uriTemplate === template),
      );
      const complete = owner?.complete?.bind(owner);
      if (complete === undefined) {
        const answer = await this.#ask('completion/complete', request, context);
        return answer ?? { completion: { values: [] } };
      }
      return { completion: await guardRequest(() => complete(argument, known?.arguments), { logger: this.#logger }) };
    });
  }

  /** Intercepts handlers that are set from now on, also those that `McpServer` sets when a resource is registered. */
  #keepHandlersOfAuthor(): void {
    const server = this.#server;
    const assertCanSet = server.assertCanSetRequestHandler.bind(server);
    const shared: readonly string[] = SHARED_METHODS;
    server.assertCanSetRequestHandler = method => {
      if (!shared.includes(method)) assertCanSet(method);
    };
    const intercept = (method: string, ...rest: unknown[]) => {
      const handler = rest[0] as Handler;
      if (shared.includes(method)) this.#authors.set(method, handler);
      if (method === 'completion/complete') this.#setCompletionHandler();
      if (shared.includes(method)) return;
      Reflect.apply(this.#set, server, method === 'tools/call' ? [method, this.#flushing(handler)] : [method, ...rest]);
    };
    server.setRequestHandler = intercept as Server['setRequestHandler'];
  }

  /** Announces the changes that a tool made before its result, so that an Agent that has the result sees them. */
  #flushing(handler: Handler): Handler {
    return async (request, context) => {
      try {
        return await handler(request, context);
      } finally {
        for (const publication of this.#publications) publication.flush();
      }
    };
  }

  /** Publications come first, then the author's resources. A cursor names where to go on, and its own cursor there. */
  async #list(cursor: string | undefined, context: ServerContext) {
    const options = requestOptions(context);
    const lists = [
      ...this.#publications.map(publication => async (inner: string | undefined) => {
        return guardRequest(() => publication.list(inner, options), { ...options, logger: this.#logger });
      }),
      async (inner: string | undefined) => {
        const request = { method: 'resources/list', params: inner === undefined ? {} : { cursor: inner } };
        return (await this.#ask('resources/list', request, context)) ?? { resources: [] };
      },
    ];
    let [index, inner] = parseCursor(cursor);
    const resources: Resource[] = [];
    for (; index < lists.length; index += 1, inner = undefined) {
      const page = await lists[index]?.(inner);
      resources.push(...(page?.resources ?? []));
      if (page?.nextCursor !== undefined) return { resources, nextCursor: `${index}:${page.nextCursor}` };
    }
    return { resources };
  }

  #announce(publication: Publication, { listChanged, updated }: ResourceChange): void {
    const server = this.#server;
    const revision = server.getNegotiatedProtocolVersion();
    if (!publication.isLive || server.transport === undefined || revision === undefined) return;
    const wanted =
      revision >= FIRST_MODERN_REVISION
        ? updated
        : [...this.#subscriptions].filter(uri => publication.concerns(uri, updated));
    const sent = [
      ...(listChanged ? [server.sendResourceListChanged()] : []),
      ...wanted.map(uri => server.sendResourceUpdated({ uri })),
    ];
    // Fails when the client has disconnected.
    for (const sending of sent) sending.catch(error => this.#logger?.debug('A change was not announced', { error }));
  }

  #isOurs(uri: string): boolean {
    return this.#publications.some(publication => publication.owns(uri));
  }

  /** The answer of the author's own handler; undefined if there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: the SDK validates what handlers answer
  async #ask(method: SharedMethod, request: unknown, context: ServerContext): Promise<any> {
    return this.#authors.get(method)?.(request as never, context);
  }
}

function parseCursor(cursor: string | undefined): [number, string | undefined] {
  if (cursor === undefined) return [0, undefined];
  const [, index, inner] = /^(\d{1,3}):(.*)$/s.exec(cursor) ?? [];
  if (index === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor');
  return [Number(index), inner];
}

function requestOptions({ mcpReq: { signal, _meta, notify } }: ServerContext): RequestOptions {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { signal };
  let reported = 0;
  const onProgress = (share: number) => {
    const progress = Math.floor(share * 100);
    if (progress <= reported) return;
    reported = progress;
    notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } }).catch(() => {});
  };
  return { signal, onProgress };
}
