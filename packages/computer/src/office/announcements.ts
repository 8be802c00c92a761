import { Debouncer } from '@a2c-smcp/core';
import type { SignalEventName } from '@a2c-smcp/protocol';
import type { Dialect } from '../dialect.ts';
import { type View, type ViewChange, views } from '../resources/view.ts';
import type { Runtime } from '../runtime.ts';
import type { Membership } from './membership.ts';

/** Changes of tools or configuration within this time are announced as one. */
const GATHER_MS = 50;

type Announcement = Exclude<SignalEventName, 'server:tool_call_cancel' | 'server:update_progress'>;

/**
 * Announces changes to an office. Tools and configuration are compared with their last announcement, views are not. An
 * announcement that cannot be sent is repeated by `check`.
 */
export class Announcements {
  readonly #runtime: Runtime;
  readonly #membership: Membership;
  /** Views that have changed since they were announced. */
  readonly #pending = new Set<View>();
  readonly #comparison = new Debouncer(() => this.#compare(), { delay: GATHER_MS });
  readonly #unsubscribe: (() => void)[];
  #announcedTools: string;
  #announcedConfig: string;
  #dialect: Dialect | undefined;

  constructor(runtime: Runtime, membership: Membership) {
    this.#runtime = runtime;
    this.#membership = membership;
    this.#announcedTools = this.#tools();
    this.#announcedConfig = this.#config();
    const { servers, resources } = runtime;
    this.#unsubscribe = [
      servers.events.on('state', () => this.#comparison.request()),
      servers.events.on('tools-changed', () => this.#comparison.request()),
      ...views.map(view => resources.events.on(view, change => this.#announce(view, change))),
    ];
  }

  /** Sends what is pending or has changed: the office was entered, or the configuration may have changed. */
  check(): void {
    for (const view of this.#pending) this.#announce(view);
    this.#comparison.request();
  }

  /** An Agent is there that expects this dialect. After another one, tools and configuration have changed for it. */
  speak(dialect: Dialect): void {
    const isChanged = this.#dialect !== undefined && this.#dialect !== dialect;
    this.#dialect = dialect;
    if (!isChanged) return;
    this.#announcedTools = '';
    this.#announcedConfig = '';
    this.#comparison.request();
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#comparison.cancel();
    this.#pending.clear();
  }

  /** Names the documents that changed, unless changes before were not announced. */
  #announce(view: View, { uris }: ViewChange = {}): void {
    const named = view === 'finder' && uris !== undefined && !this.#pending.has(view) ? { uris: [...uris] } : {};
    if (this.#send(`server:update_${view}`, named)) this.#pending.delete(view);
    else this.#pending.add(view);
  }

  /** Returns false when the office cannot be reached. */
  #send(event: Announcement, more: { uris?: string[] } = {}): boolean {
    const { peer } = this.#membership;
    return peer?.emit(event, { computer: peer.name, ...more }) ?? false;
  }

  #compare(): void {
    const tools = this.#tools();
    const config = this.#config();
    if (tools !== this.#announcedTools && this.#send('server:update_tool_list')) this.#announcedTools = tools;
    if (config !== this.#announcedConfig && this.#send('server:update_config')) this.#announcedConfig = config;
  }

  #tools(): string {
    return JSON.stringify(this.#runtime.tools.list('plain'));
  }

  #config(): string {
    return JSON.stringify(this.#runtime.config());
  }
}
