import type { Agent, Topic } from '@a2c-smcp/agent';
import { windowPane } from '../../output/windows.ts';

/** The topics of a Computer that are followed. */
export const TOPICS: readonly Topic[] = ['tools', 'config', 'desktop', 'finder', 'skills'];

/** A change of a topic, for `--json` and for a person. */
export interface Change {
  data: Record<string, unknown>;
  text: string;
}

/** The state of a topic: the contents of each item by its name, and their number. */
interface State {
  items: ReadonlyMap<string, string>;
  count: number;
  noun: string;
  data: Record<string, unknown>;
}

/** Caches the last state of each topic of each Computer, and compares it with the next. */
export class ChangeLog {
  readonly #agent: Agent;
  /** The last fetch by Computer and topic. Each waits for the one before. */
  readonly #states = new Map<string, Promise<State | undefined>>();

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  /** Fetches a topic. Resolves to undefined if it is the same as before. */
  async next(computer: string, topic: Topic): Promise<Change | undefined> {
    const key = JSON.stringify([computer, topic]);
    const before = this.#states.get(key);
    const after = Promise.resolve(before).then(() => fetchState(this.#agent, computer, topic));
    // A failed fetch keeps the state that is known.
    this.#states.set(
      key,
      after.catch(() => before),
    );
    return changeOf(await before, await after);
  }

  /** Fetches topics of a Computer, so that the next change of each can be told. Never rejects. */
  async learn(computer: string, topics = TOPICS): Promise<void> {
    await Promise.allSettled(topics.map(topic => this.next(computer, topic)));
  }

  forget(computer: string): void {
    for (const topic of TOPICS) this.#states.delete(JSON.stringify([computer, topic]));
  }
}

function changeOf(before: State | undefined, after: State): Change | undefined {
  const { items, count, noun, data } = after;
  const total = `${count} ${noun}${count === 1 ? '' : 's'}`;
  if (!before) return { data, text: `has ${total}` };
  const added = [...items.keys()].filter(name => !before.items.has(name));
  const removed = [...before.items.keys()].filter(name => !items.has(name));
  const changed = [...items].filter(([name, text]) => (before.items.get(name) ?? text) !== text).map(([name]) => name);
  const signs = [
    ...added.map(name => `+${name}`),
    ...removed.map(name => `-${name}`),
    ...changed.map(name => `~${name}`),
  ];
  const isSame = signs.length === 0 && before.count === count;
  return isSame ? undefined : { data: { ...data, added, removed, changed }, text: [...signs, `(${total})`].join(' ') };
}

async function fetchState(agent: Agent, computer: string, topic: Topic): Promise<State> {
  switch (topic) {
    case 'tools': {
      const tools = await agent.getTools(computer);
      return stateOf(
        'tool',
        tools.map(tool => [tool.name, tool]),
        names => ({ tools: names }),
      );
    }
    case 'config': {
      const { servers } = await agent.getConfig(computer);
      return stateOf('MCP server', Object.entries(servers), names => ({ servers: names }));
    }
    case 'desktop': {
      const windows = await agent.getDesktop(computer);
      return stateOf(
        'window',
        windows.map(window => [windowPane(window).title, window]),
        () => ({ windows }),
      );
    }
    case 'skills': {
      const skills = await agent.skills(computer);
      return stateOf(
        'skill',
        skills.map(skill => [skill.name, skill]),
        names => ({ skills: names }),
      );
    }
    case 'finder': {
      // Catalogues may be large: only their size is compared.
      const { totalCount } = await agent.getFinder(computer, { limit: 1 });
      return { items: new Map(), count: totalCount, noun: 'document', data: { documents: totalCount } };
    }
  }
}

function stateOf(
  noun: string,
  entries: readonly (readonly [name: string, value: unknown])[],
  dataOf: (names: string[]) => Record<string, unknown>,
): State {
  const items = new Map(entries.map(([name, value]) => [name, JSON.stringify(value)]));
  return { items, count: entries.length, noun, data: dataOf(entries.map(([name]) => name)) };
}
