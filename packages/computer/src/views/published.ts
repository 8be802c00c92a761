import { Emitter, type Logger } from '@a2c-smcp/core';
import type { Resource } from '@a2c-smcp/protocol';
import type { McpServers } from '../mcp/servers.ts';
import { type ResourceSource, resourceSources } from '../resources/sources.ts';
import { Coalescer } from './coalescer.ts';
import { findHostClashes, isReverseDomain } from './hosts.ts';
import type { Problem } from './problem.ts';
import { Publisher } from './publisher.ts';
import { type View, viewOf, views } from './view.ts';
import { Warnings } from './warnings.ts';

/** One listed resource and the server to read it from. */
export interface Listed {
  publisher: Publisher;
  resource: Resource;
}

/** What one server lists for a view. */
export interface PublishedList {
  publisher: Publisher;
  resources: readonly Resource[];
}

/** What all MCP servers publish for Desktop and Finder, and word of its changes. One listing serves both. */
export class Published {
  readonly warnings: Warnings;
  readonly #servers: McpServers;
  readonly #publishers = new Map<string, Publisher>();
  readonly #events: Emitter<{ changed: View }>;
  readonly #changes: Record<View, Coalescer>;
  readonly #unfollow: (() => void)[];

  constructor(servers: McpServers, logger: Logger) {
    this.#servers = servers;
    this.#events = new Emitter({ logger });
    this.warnings = new Warnings(logger);
    const changes = (view: View) => new Coalescer(() => this.#events.emit('changed', view));
    this.#changes = { desktop: changes('desktop'), finder: changes('finder') };
    this.#unfollow = [
      // Whether a server's resources count depends on its connection and on its configuration.
      servers.on('changed', () => this.#admit()),
      servers.on('resources', change => {
        if (change.type === 'ready') this.#admit();
        else if (change.type === 'gone') this.#dismiss(change.server);
        else if (change.type === 'updated') this.#updated(change.server, change.uri);
        else if (change.type === 'missed') this.#missed(change.server);
        else this.#publishers.get(change.server)?.listChanged();
      }),
    ];
  }

  /** Hears of changes of a view, the first within 20 ms and a storm at most every 200 ms. Returns how to stop it. */
  onChanged(listener: (view: View) => void): () => void {
    return this.#events.on('changed', listener);
  }

  /** Resolves when it is known what the present servers publish. That in itself is no change. */
  async settled(): Promise<void> {
    await Promise.all(this.publishers.map(publisher => publisher.settled()));
    for (const view of views) this.#changes[view].drop();
  }

  /** The servers that publish now, in the order of the configuration. */
  get publishers(): Publisher[] {
    return this.#servers.all.flatMap(({ name }) => this.#publishers.get(name) ?? []);
  }

  /** Every resource of a view, valid or not. A server that cannot list is left out. */
  async list(view: View): Promise<Listed[]> {
    const lists = await this.lists(view);
    return lists.flatMap(({ publisher, resources }) => resources.map(resource => ({ publisher, resource })));
  }

  /** The same by server. A list is the same array until its server announces a change. */
  lists(view: View): Promise<PublishedList[]> {
    return Promise.all(this.publishers.map(async publisher => ({ publisher, resources: await publisher.list(view) })));
  }

  /** Logs what is odd about a resource, each thing once. */
  report({ publisher, resource }: Listed, problems: readonly Problem[]): void {
    for (const { message, fields } of problems) {
      this.warnings.warn(message, { mcp_server: publisher.server, uri: resource.uri }, fields);
    }
  }

  close(): void {
    for (const unfollow of this.#unfollow) unfollow();
    for (const publisher of this.#publishers.values()) publisher.end();
    for (const view of views) this.#changes[view].drop();
  }

  #admit(): void {
    const sources = new Map(resourceSources(this.#servers).map(source => [source.server, source]));
    for (const server of [...this.#publishers.keys()]) if (!sources.has(server)) this.#dismiss(server);
    for (const [server, source] of sources) {
      if (!this.#publishers.has(server)) this.#publishers.set(server, this.#publisherOf(source));
    }
  }

  #publisherOf(source: ResourceSource): Publisher {
    return new Publisher(source, {
      onChanged: view => this.#changes[view].request(),
      onCompared: () => this.#checkHosts(),
      warnings: this.warnings,
    });
  }

  #dismiss(server: string): void {
    const publisher = this.#publishers.get(server);
    this.#publishers.delete(server);
    publisher?.end();
    if (publisher) this.#changedAll(publisher);
  }

  #updated(server: string, uri: string): void {
    const publisher = this.#publishers.get(server);
    const view = viewOf(uri);
    if (!publisher || !view) return;
    publisher.updated(uri);
    this.#changes[view].request();
  }

  #missed(server: string): void {
    const publisher = this.#publishers.get(server);
    publisher?.forget();
    if (publisher) this.#changedAll(publisher);
  }

  #changedAll(publisher: Publisher): void {
    for (const view of views) if (publisher.section(view).uris.size > 0) this.#changes[view].request();
  }

  #checkHosts(): void {
    const uses = this.publishers.map(publisher => ({
      server: publisher.server,
      hosts: views.flatMap(view => [...publisher.section(view).hosts]),
    }));
    for (const { host, servers } of findHostClashes(uses)) {
      const [first = '', ...others] = servers;
      for (const second of others) {
        this.warnings.warn('Two MCP servers publish under one host; its documents are read from the first', {
          host,
          first,
          second,
        });
      }
    }
    for (const { server, hosts } of uses) {
      for (const host of hosts) {
        if (isReverseDomain(host)) continue;
        this.warnings.warn('A host should be lower-case letters, digits and dots, like com.example.app', {
          mcp_server: server,
          host,
        });
      }
    }
  }
}
