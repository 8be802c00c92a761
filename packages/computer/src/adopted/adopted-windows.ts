import { type Emitter, type Logger, within } from '@a2c-smcp/core';
import {
  buildWindowUri,
  type CompleteMCPServerConfig,
  ConfigError,
  RESOURCE_TIMEOUT_MS,
  type Resource,
} from '@a2c-smcp/protocol';
import type { VrlProgram } from '@a2c-smcp/vrl';
import type { ServerCapabilities } from '@modelcontextprotocol/client';
import { describeError } from '../describe-error.ts';
import type { McpEvents } from '../mcp/events.ts';
import type { RawResult } from '../mcp/session/schemas.ts';
import type { McpSession } from '../mcp/session/session.ts';
import type { ReadOptions, ResourceList } from '../mcp/session/session-options.ts';
import type { Adopted } from '../mcp/supervisor/mcp-server-options.ts';
import { adoptedHost, isShownBeside, type Publisher } from './adopted-host.ts';
import { AdoptedWindow, type AdoptedWindowOptions } from './adopted-window.ts';

export interface AdoptedWindowsOptions extends Pick<AdoptedWindowOptions, 'refusal' | 'logger'> {
  /** With its placeholders filled. */
  config: CompleteMCPServerConfig;
  events: Emitter<McpEvents>;
  logger: Logger;
}

/** The resources of one session, and the windows that its configuration makes of tools and resources. */
export class AdoptedWindows implements Adopted {
  readonly #publisher: Publisher;
  readonly #session: McpSession;
  readonly #windows: ReadonlyMap<string, AdoptedWindow>;
  readonly #programs: readonly VrlProgram[];
  readonly #unsubscribe: () => void;

  private constructor(session: McpSession, options: AdoptedWindowsOptions, programs: ReadonlyMap<string, VrlProgram>) {
    const { config, events, refusal, logger } = options;
    const { name: server, windows = {} } = config;
    this.#publisher = { server, scheme: 'window', showsAll: config.require_subscribe === false, session };
    this.#session = session;
    this.#programs = [...programs.values()];
    const opened = Object.entries(windows).map(([name, window]) => {
      const uri = buildWindowUri(adoptedHost(server), [name]);
      const onChanged = () => events.emit('resource-updated', { server, uri });
      const program = programs.get(name);
      return new AdoptedWindow({ uri, name, config: window, program, session, refusal, onChanged, logger });
    });
    this.#windows = new Map(opened.map(window => [window.uri, window]));
    this.#unsubscribe = events.on('resource-updated', ({ server: updated, uri }) => {
      if (updated !== server || (uri !== undefined && this.#windows.has(uri))) return;
      for (const window of opened)
        if (window.source !== undefined && (uri ?? window.source) === window.source) window.refresh();
    });
  }

  /** Throws a `ConfigError` for a window that names neither or both, and for a script that cannot be compiled. */
  static async prepare(options: AdoptedWindowsOptions): Promise<(session: McpSession) => AdoptedWindows> {
    const programs = new Map<string, VrlProgram>();
    for (const [name, { tool, resource, vrl }] of Object.entries(options.config.windows ?? {})) {
      const field = `servers.${options.config.name}.windows.${name}`;
      if ((tool === undefined) === (resource === undefined)) {
        throw new ConfigError(field, "name either a 'tool' or a 'resource'");
      }
      if (vrl === undefined) continue;
      const { Vrl } = await import('@a2c-smcp/vrl');
      const program = await Vrl.compile(vrl).catch(cause => {
        throw new ConfigError(`${field}.vrl`, describeError(cause), { cause });
      });
      programs.set(name, program);
    }
    return session => new AdoptedWindows(session, options, programs);
  }

  /** Updates of the windows are announced, whether those of the server are or not. */
  get capabilities(): ServerCapabilities {
    const { capabilities } = this.#session;
    return { ...capabilities, resources: { listChanged: true, ...capabilities.resources, subscribe: true } };
  }

  start(): void {
    for (const window of this.#windows.values()) window.start();
  }

  called(): void {
    for (const window of this.#windows.values()) window.refresh();
  }

  async resources(): Promise<Resource[]> {
    return [
      ...this.#own,
      ...(await this.#session.resources()).filter(({ uri }) => isShownBeside(this.#publisher, uri)),
    ];
  }

  /** They are on the first page, which they make longer. */
  async resourcePage(cursor?: string | null): Promise<ResourceList> {
    const isFirst = cursor === undefined || cursor === null;
    if (!this.#session.capabilities.resources) return { resources: isFirst ? this.#own : [] };
    const page = await this.#session.resourcePage(cursor);
    return isFirst ? { ...page, resources: [...this.#own, ...page.resources] } : page;
  }

  resourceTemplates(): ReturnType<McpSession['resourceTemplates']> {
    return this.#session.resourceTemplates();
  }

  async readResource(uri: string, options: ReadOptions = {}): Promise<RawResult> {
    const window = this.#windows.get(uri);
    if (!window) return this.#session.readResource(uri, options);
    const { timeout = RESOURCE_TIMEOUT_MS, isFresh = false } = options;
    // A window that takes long says so, instead of being left out.
    await within(isFresh ? window.load() : window.shown, { timeout: timeout / 2 }).catch(() => {});
    return { contents: [{ uri, mimeType: 'text/plain', text: window.text }] };
  }

  async watchResources(uris: readonly string[]): Promise<ReadonlySet<string>> {
    const own = uris.filter(uri => this.#windows.has(uri));
    if (this.#session.capabilities.resources?.subscribe !== true) return new Set(own);
    const sources = [...this.#windows.values()].flatMap(({ source }) => source ?? []);
    const others = uris.filter(uri => !this.#windows.has(uri));
    return new Set([...own, ...(await this.#session.watchResources([...others, ...sources]))]);
  }

  close(): void {
    this.#unsubscribe();
    for (const window of this.#windows.values()) window.close();
    for (const program of this.#programs) program.dispose();
  }

  get #own(): Resource[] {
    return [...this.#windows.values()].map(({ resource }) => resource);
  }
}
