import { Emitter, type Logger } from '@a2c-smcp/core';
import { ErrorCode, type Resource, SmcpError } from '@a2c-smcp/protocol';
import type { McpServer } from '../mcp/supervisor/mcp-server.ts';
import type { McpServers } from '../mcp/supervisor/mcp-servers.ts';
import type { Problem, ResourceProblem, Warnings } from '../warnings.ts';
import { findHostClashes, hostsOf, isReverseDomain } from './hosts.ts';
import { ServerResources } from './server-resources.ts';
import { matchesTemplate } from './uri-template.ts';
import { type View, type ViewChange, ViewChanges, viewOf, views } from './view.ts';

/** How long a view waits for servers that it wakes; reading them takes time, too. */
const WAKE_TIMEOUT_MS = 10_000;

/** The views that leave out servers which do not announce updates. */
type GatedView = Exclude<View, 'skills'>;

const UNDECLARED: Record<GatedView, Problem> = {
  desktop: {
    code: 'window-no-subscribe',
    message: 'Windows are left out: their MCP server does not declare resources.subscribe',
  },
  finder: {
    code: 'document-no-subscribe',
    message: 'Documents are left out: their MCP server does not declare resources.subscribe',
  },
};
const CLASH = 'Two MCP servers publish under one host; a document that both have is read from the first';
const STYLE = 'A host should be lower-case letters, digits and dots, like com.example.app';

/** A listed resource and the server to read it from. */
export interface ListedResource {
  source: ServerResources;
  resource: Resource;
}

/** The hosts of windows that the owner accepts, among those that a server publishes. */
export type AcceptHosts = (server: string, hosts: ReadonlySet<string>) => ReadonlySet<string>;

export interface ResourceCatalogOptions {
  servers: McpServers;
  /** @default all hosts */
  acceptHosts?: AcceptHosts;
  warnings: Warnings;
  logger: Logger;
}

/** The resources of all MCP servers. Those of the views are listed and subscribed to; changes are emitted. */
export class ResourceCatalog {
  /** A view may have changed. The first event comes within 20 ms, further ones at most every 200 ms. */
  readonly events: Emitter<Record<View, ViewChange>>;
  readonly warnings: Warnings;
  readonly #servers: McpServers;
  readonly #acceptHosts: AcceptHosts;
  /** By list, which stays the same until its server announces a change. */
  #acceptedHosts = new WeakMap<readonly Resource[], ReadonlySet<string>>();
  readonly #logger: Logger;
  /** The servers that are ready and have resources, by name, in the order of the configuration. */
  #sources = new Map<string, ServerResources>();
  /** The servers that sleep or are being woken. */
  #asleep: readonly McpServer[] = [];
  /** The views that the Agent in the office has asked for. */
  readonly #watched = new Set<View>();
  readonly #changes: Record<View, ViewChanges>;
  readonly #unsubscribe: (() => void)[];

  constructor({ servers, warnings, logger, acceptHosts = (_, hosts) => hosts }: ResourceCatalogOptions) {
    this.#servers = servers;
    this.#acceptHosts = acceptHosts;
    this.#logger = logger;
    this.events = new Emitter({ logger });
    this.warnings = warnings;
    const changes = (view: View) => new ViewChanges(change => this.events.emit(view, change));
    this.#changes = { desktop: changes('desktop'), finder: changes('finder'), skills: changes('skills') };
    this.#unsubscribe = [
      servers.events.on('state', () => this.#update()),
      servers.events.on('resources-changed', ({ server }) => this.#sources.get(server)?.listChanged()),
      servers.events.on('resource-updated', ({ server, uri }) => this.#sources.get(server)?.updated(uri)),
    ];
    this.#update();
  }

  /** Resolves when the windows and documents of the present servers are known. Cancels the events of these changes. */
  async settled(): Promise<void> {
    await Promise.all(this.shown.map(source => source.settled()));
    for (const view of views) this.#changes[view].cancel();
  }

  /** The servers that are shown on Desktop and Finder, in the order of the configuration. */
  get shown(): ServerResources[] {
    return [...this.#sources.values()].filter(({ isShown }) => isShown);
  }

  /** An Agent looks at a view: the servers in it do not sleep until `unwatch`. */
  watch(view: View): void {
    this.#watched.add(view);
  }

  /** The Agent is gone. */
  unwatch(): void {
    this.#watched.clear();
  }

  /** True if an Agent looks at a view that has something of a server. */
  isWatched(server: string): boolean {
    const source = this.#sources.get(server);
    return source !== undefined && [...this.#watched].some(view => source.urisOf(view).uris.size > 0);
  }

  /** The resources of a view by server, valid or not. Wakes the servers that have some. A list is the same array until its server announces a change. */
  async list(view: View): Promise<{ source: ServerResources; resources: readonly Resource[] }[]> {
    if (this.#asleep.length > 0) await this.#wake(view);
    const sources = view === 'skills' ? [...this.#sources.values()] : this.shown;
    return Promise.all(sources.map(async source => ({ source, resources: await source.list(view) })));
  }

  /** The hosts of a list of windows whose windows are shown. */
  acceptedHosts(server: string, windows: readonly Resource[]): ReadonlySet<string> {
    const known = this.#acceptedHosts.get(windows);
    if (known) return known;
    const accepted = this.#acceptHosts(server, hostsOf(windows.map(({ uri }) => uri)));
    this.#acceptedHosts.set(windows, accepted);
    return accepted;
  }

  /** The owner accepts other hosts now. */
  reconsiderHosts(): void {
    this.#acceptedHosts = new WeakMap();
    this.changed('desktop');
  }

  /** A view has changed for another reason than its MCP servers. */
  changed(view: View): void {
    this.#changes[view].add();
  }

  /**
   * The resources of a server by name, waiting for a pending start. Throws 4014 when there is no such server and 4015
   * when it has no resources.
   *
   * @param timeout milliseconds
   */
  async of(name: string, timeout: number): Promise<ServerResources> {
    const known = this.#sources.get(name);
    if (known) return known;
    const server = this.#servers.require(name);
    const unavailable = (cause?: unknown) =>
      new SmcpError(ErrorCode.Internal, `MCP server '${name}' is not available`, { cause });
    const session = await server.ready(AbortSignal.timeout(timeout)).catch(cause => {
      throw unavailable(cause);
    });
    if (!(server.publisher ?? session).capabilities.resources) {
      throw new SmcpError(ErrorCode.McpCapabilityMissing, `MCP server '${name}' has no resources`, {
        details: { mcp_server: name, mcp_server_name: name, capability: 'resources' },
      });
    }
    const source = this.#sources.get(name);
    if (!source) throw unavailable();
    return source;
  }

  /** The name of the first server whose list has the URI, else of the first with a template for it. Throws 404. */
  async find(uri: string): Promise<string> {
    let found = await this.#locate(uri);
    const starting = this.#asleep.filter(({ state }) => state === 'starting');
    if (found === undefined && starting.length > 0) {
      await this.#whenReady(starting);
      found = await this.#locate(uri);
    }
    if (found !== undefined) return found;
    throw new SmcpError(ErrorCode.NotFound, `No MCP server on this computer has the resource '${uri}'`);
  }

  async #locate(uri: string): Promise<string | undefined> {
    const sources = [...this.#sources.values()];
    const isListed = async ({ session }: ServerResources) =>
      (await session.resources()).some(resource => resource.uri === uri);
    const isTemplate = async ({ session }: ServerResources) =>
      (await session.resourceTemplates()).some(({ uriTemplate }) => matchesTemplate(uriTemplate, uri));
    return (
      (await first(sources, isListed))?.server ??
      this.#asleep.find(({ cached }) => cached?.resources.includes(uri))?.name ??
      (await first(sources, isTemplate))?.server ??
      this.#asleep.find(({ cached }) => cached?.templates.some(template => matchesTemplate(template, uri)))?.name
    );
  }

  /** Windows or documents that are left out because their servers declare no updates, hosts in another style, and patterns. */
  async problemsOf(view: GatedView): Promise<ResourceProblem[]> {
    await Promise.all([...this.#sources.values()].map(source => source.settled()));
    const odd = this.shown.flatMap(source => oddHosts(source.server, source.urisOf(view).hosts));
    return [...this.#undeclared(view), ...odd, ...(view === 'finder' ? this.#adoptionProblems : [])];
  }

  /** Logs a problem, each once. */
  report({ server, uri, message, fields }: ResourceProblem): void {
    this.warnings.warn(message, { mcp_server: server, ...(uri !== undefined && { uri }) }, fields);
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    for (const source of this.#sources.values()) source.close();
    for (const view of views) this.#changes[view].cancel();
  }

  /** Adds and removes sources according to the present sessions and configurations. */
  #update(): void {
    this.#asleep = this.#servers.all.filter(({ cached }) => cached !== undefined);
    const former = [...this.#sources.values()];
    const present = this.#servers.all.flatMap(server => this.#sourceOf(server) ?? []);
    this.#sources = new Map(present.map(source => [source.server, source]));
    for (const source of former) {
      if (this.#sources.get(source.server) === source) continue;
      source.notifyAll();
      source.close();
    }
  }

  #sourceOf(server: McpServer): ServerResources | undefined {
    const { name, publisher: session } = server;
    if (!session?.capabilities.resources) return undefined;
    const known = this.#sources.get(name);
    if (known?.session === session && known.isShown === isShown(server)) return known;
    return new ServerResources({
      server: name,
      session,
      isShown: isShown(server),
      onChanged: (view, uris) => this.#changes[view].add(uris),
      onCompared: () => this.#check(),
      warnings: this.warnings,
      logger: this.#logger,
    });
  }

  /** Starts the sleeping servers that had resources of a view. One that does not start in time is left out. */
  async #wake(view: View): Promise<void> {
    const inView = this.#asleep.filter(({ cached }) => cached?.resources.some(uri => viewOf(uri) === view));
    await this.#whenReady(view === 'skills' ? inView : inView.filter(isShown));
  }

  async #whenReady(servers: readonly McpServer[]): Promise<void> {
    await Promise.all(servers.map(server => server.ready(AbortSignal.timeout(WAKE_TIMEOUT_MS)).catch(() => {})));
  }

  get #hidden(): ServerResources[] {
    return [...this.#sources.values()].filter(({ isShown }) => !isShown);
  }

  #undeclared(view: GatedView): ResourceProblem[] {
    const leftOut = this.#hidden.filter(source => source.urisOf(view).uris.size > 0);
    return leftOut.map(({ server }) => ({ server, ...UNDECLARED[view] }));
  }

  get #adoptionProblems(): ResourceProblem[] {
    return this.shown.flatMap(({ server, session }) =>
      (session.problems ?? []).map(problem => ({ server, ...problem })),
    );
  }

  #check(): void {
    const undeclared = [...this.#undeclared('desktop'), ...this.#undeclared('finder')];
    for (const problem of [...undeclared, ...this.#adoptionProblems]) this.report(problem);
    this.#checkHosts();
  }

  #checkHosts(): void {
    const uses = this.shown.map(source => ({
      server: source.server,
      hosts: [...source.urisOf('desktop').hosts, ...source.urisOf('finder').hosts],
    }));
    for (const { host, servers } of findHostClashes(uses)) {
      const [first = '', ...others] = servers;
      for (const second of others) this.warnings.warn(CLASH, { host, first, second });
    }
    for (const { server, hosts } of uses) {
      for (const host of hosts.filter(candidate => !isReverseDomain(candidate))) {
        this.warnings.warn(STYLE, { mcp_server: server, host });
      }
    }
  }
}

function oddHosts(server: string, hosts: Iterable<string>): ResourceProblem[] {
  const odd = [...hosts].filter(host => !isReverseDomain(host));
  return odd.map(host => ({ server, code: 'host-style', message: STYLE, fields: { host } }));
}

/** True if a server announces updates, or its configuration does not require it to. */
function isShown({ publisher, cached, config }: McpServer): boolean {
  const { resources } = (publisher ?? cached)?.capabilities ?? {};
  return resources?.subscribe === true || config.require_subscribe === false;
}

/** Asks all at once; one that fails to answer is skipped. */
async function first(
  sources: readonly ServerResources[],
  test: (source: ServerResources) => Promise<boolean>,
): Promise<ServerResources | undefined> {
  const verdicts = await Promise.all(sources.map(source => test(source).catch(() => false)));
  return sources[verdicts.indexOf(true)];
}
