import { EventFeed } from '../http/event-feed.ts';
import { CallBook } from './call-book.ts';
import type { OwnerDesk } from './desk.ts';
import { LogBook } from './log-book.ts';
import type { About, OwnerSnapshot } from './types.ts';
import { serverRows } from './views.ts';

/** The poll interval for memory, which changes without an event. */
const POLL_MS = 5000;

/** The events that the pages of a Computer's console follow, and the values kept for them. */
export class OwnerFeed {
  readonly events: EventFeed;
  readonly calls: CallBook;
  readonly logs: LogBook;
  readonly #desk: OwnerDesk;
  readonly #closed = new AbortController();
  #memory: ReadonlyMap<string, number> = new Map();
  #connection: About['connection'];

  constructor(desk: OwnerDesk, onError: (error: unknown) => void) {
    this.#desk = desk;
    const { computer } = desk;
    const { signal } = this.#closed;
    this.#connection = computer.office === undefined ? 'outside' : 'joined';
    this.events = new EventFeed({ snapshot: () => this.#snapshot(), follow: () => this.#follow(), onError });
    this.calls = new CallBook(computer, row => this.events.append('ended', row), signal);
    this.logs = new LogBook(computer, (server, next) => this.events.publish(`log:${server}`, next), signal);
    computer.on(
      'connection',
      ({ type }) => {
        this.#connection = type === 'joined' ? 'joined' : type === 'closed' ? 'outside' : 'lost';
        this.events.publish('about', () => this.about);
      },
      { signal },
    );
  }

  get about(): About {
    const { computer, serverUrl, configFile, auditFile } = this.#desk;
    const { name, office } = computer;
    const connection = office === undefined ? 'outside' : this.#connection;
    return {
      surface: 'owner',
      name,
      office,
      url: serverUrl?.(),
      connection,
      configFile,
      hasAudit: auditFile !== undefined,
    };
  }

  close(): void {
    this.#closed.abort();
    this.events.close();
  }

  async #snapshot(): Promise<OwnerSnapshot> {
    const { computer } = this.#desk;
    this.#memory = await computer.memory();
    return {
      about: this.about,
      attention: await computer.attention(),
      questions: computer.questions.open,
      servers: serverRows(computer, this.#memory),
      calls: this.calls.list,
    };
  }

  #follow(): () => void {
    const { events } = this;
    const { computer } = this.#desk;
    const stop = new AbortController();
    const { signal } = stop;
    const servers = () => events.publish('servers', () => serverRows(computer, this.#memory));
    const attention = () => events.publish('attention', () => computer.attention());
    const questions = () => {
      events.publish('questions', () => computer.questions.open);
      attention();
    };
    const pending = () => events.publish('pending', () => computer.pendingCalls);
    const changed = (topic: string) => () => events.append('changed', topic);
    computer.on('servers', servers, { signal });
    computer.on('servers', attention, { signal });
    computer.on('configError', attention, { signal });
    for (const topic of ['tools', 'desktop', 'finder', 'skills'] as const)
      computer.on(topic, changed(topic), { signal });
    for (const event of ['callStarted', 'callChanged', 'callEnded'] as const) computer.on(event, pending, { signal });
    computer.questions.on('asked', questions, { signal });
    computer.questions.on('settled', questions, { signal });
    const poll = setInterval(async () => {
      this.#memory = await computer.memory().catch(() => new Map());
      servers();
    }, POLL_MS);
    return () => {
      stop.abort();
      clearInterval(poll);
    };
  }
}
