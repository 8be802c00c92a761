import type { Logger } from '@a2c-smcp/core';
import { buildWindowUri } from '@a2c-smcp/protocol';
import { type Resource, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { checkedText } from './answer-size.ts';
import { Changes, type ResourceChange } from './changes.ts';
import { type AnyServer, type Publication, publish } from './published-resources.ts';

export interface WindowsOptions {
  /** The host of all URIs, in reverse-domain style as in `com.example.app`. No other MCP server may use it. */
  host: string;
  /** Gets what goes wrong. @default errors go to the client, as in the SDK */
  logger?: Logger | undefined;
}

export interface WindowOptions {
  /** @default the last segment of the path */
  title?: string | undefined;
  /** From 0 to 1; windows with a higher one come first. @default 0.5 */
  priority?: number | undefined;
  /** Hides the other windows of this server. @default false */
  fullscreen?: boolean | undefined;
  /** For whom the window is. @default ['assistant'] */
  audience?: readonly ('assistant' | 'user')[] | undefined;
  /** @default 'text/plain' */
  mimeType?: string | undefined;
  /** One sentence for a person who configures the server. @default none */
  description?: string | undefined;
}

/** An open window. */
export interface PublishedWindow {
  readonly uri: string;
  readonly text: string;
  /** Shows another text. The same text as before is not announced; a window that was closed stays closed. */
  set(text: string): void;
  close(): void;
}

/** Publishes windows of an MCP server. Call it before the server connects and before resources are registered. */
export function windows(server: AnyServer, options: WindowsOptions): Windows {
  const published = new Windows(options);
  published.serve(server);
  return published;
}

/** Windows that any number of servers publish: one for each connection. */
export class Windows {
  readonly #host: string;
  readonly #logger: Logger | undefined;
  readonly #windows = new Map<string, { resource: Resource; window: PublishedWindow }>();
  readonly #changes = new Changes();

  constructor({ host, logger }: WindowsOptions) {
    // Fails at once if the host cannot stand in a URI.
    buildWindowUri(host);
    this.#host = host;
    this.#logger = logger;
  }

  /** Publishes these windows on a further server, which is not connected yet. */
  serve(server: AnyServer): void {
    publish(server, this.#publication(), { logger: this.#logger });
  }

  /** Calls `listener` for changes, for transports that announce them themselves. Returns a function that stops it. */
  onChange(listener: (change: ResourceChange) => void): () => void {
    return this.#changes.onChange(listener);
  }

  /** Opens a window without text at `window://host/path…`. */
  open(path: readonly string[], options: WindowOptions = {}): PublishedWindow {
    const uri = buildWindowUri(this.#host, path);
    if (this.#windows.has(uri)) throw new TypeError(`The window '${uri}' is open already`);
    const resource = describe(uri, options.title ?? path.at(-1) ?? this.#host, options);
    let text = '';
    const isOpen = () => this.#windows.get(uri)?.window === window;
    const window: PublishedWindow = {
      uri,
      get text() {
        return text;
      },
      set: next => {
        if (typeof next !== 'string') throw new TypeError(`The text of the window '${uri}' must be a string`);
        if (next === text || !isOpen()) return;
        text = next;
        this.#changes.add({ listChanged: false, updated: [uri] });
      },
      close: () => {
        if (!isOpen()) return;
        this.#windows.delete(uri);
        this.#changes.add({ listChanged: true, updated: [] });
      },
    };
    this.#windows.set(uri, { resource, window });
    this.#changes.add({ listChanged: true, updated: [] });
    return window;
  }

  #publication(): Publication {
    const windows = this.#windows;
    return {
      scheme: 'window',
      templates: [],
      isLive: true,
      owns: uri => windows.has(uri),
      list: async () => ({ resources: [...windows.values()].map(({ resource }) => resource) }),
      read: async uri => {
        const { resource, window } = windows.get(uri) ?? {};
        if (window === undefined) throw new ResourceNotFoundError(uri);
        return [{ uri, mimeType: resource?.mimeType, text: checkedText(window.text) }];
      },
      concerns: (uri, updated) => updated.includes(uri),
      onChange: listener => this.#changes.onChange(listener),
      flush: () => this.#changes.flush(),
    };
  }
}

function describe(uri: string, title: string, options: WindowOptions): Resource {
  const {
    priority = 0.5,
    fullscreen = false,
    audience = ['assistant'],
    mimeType = 'text/plain',
    description,
  } = options;
  if (!(priority >= 0 && priority <= 1)) {
    throw new TypeError(`The priority of the window '${uri}' must be from 0 to 1, not ${priority}`);
  }
  return {
    uri,
    name: title,
    title,
    mimeType,
    ...(description !== undefined && { description }),
    annotations: { priority, audience: [...audience] },
    ...(fullscreen && { _meta: { fullscreen } }),
  };
}
