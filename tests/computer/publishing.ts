import { fileURLToPath } from 'node:url';
import type { ComputerOptions } from '@a2c-smcp/computer';
import type { MCPServerConfig } from '@a2c-smcp/protocol';
import { expect } from 'vitest';
import { eventually, type Log, type Office, openOffice, textOf } from './office.ts';

const fixture = fileURLToPath(new URL('../fixtures/publishing-mcp-server.mjs', import.meta.url));

/** Both ways in which MCP servers announce updates. */
export const eras = ['legacy', 'modern'] as const;
export type Era = (typeof eras)[number];

/** The configuration of a server that publishes what `script` says. */
export function publishing(
  script: object = {},
  { era = 'legacy', ...config }: PublishingOptions = {},
): MCPServerConfig {
  return {
    name: 'app',
    default_tool_meta: { auto_apply: true },
    mcp_protocol: era === 'modern' ? 'auto' : 'legacy',
    ...config,
    type: 'stdio',
    server_parameters: { command: process.execPath, args: [fixture, JSON.stringify(script)] },
  };
}

export interface PublishingOptions {
  era?: Era;
  name?: string;
  require_subscribe?: boolean;
  disabled?: boolean;
}

type View = 'desktop' | 'finder';

export interface PublishingOffice extends Office {
  /** How often the Agent was told of a view since the office opened. */
  told: Record<View, number>;
  /** Waits until the Agent was told so often. */
  toldOf(view: View, times: number): Promise<void>;
  desktop(fields?: { desktop_size?: number | null; window?: string | null; max_chars?: number }): Promise<string[]>;
  /** The methods and URIs that the server received, of one method if it is given. */
  received(method?: string, server?: string): Promise<[method: string, subject: unknown][]>;
}

/** An office whose Computer has these servers, by name. */
export async function openPublishing(
  scripts: Record<string, object>,
  { era, ...options }: Partial<ComputerOptions> & { era?: Era } = {},
): Promise<PublishingOffice> {
  const servers = Object.entries(scripts).map(([name, script]) => [
    name,
    publishing(script, { name, ...(era && { era }) }),
  ]);
  const office = await openOffice({ servers: Object.fromEntries(servers), ...options });
  const told = { desktop: 0, finder: 0 };
  office.agent.channel.on('notify:update_desktop', () => void told.desktop++);
  office.agent.channel.on('notify:update_finder', () => void told.finder++);
  const [first = ''] = Object.keys(scripts);
  return {
    ...office,
    told,
    toldOf: (view, times) => eventually(() => expect(told[view]).toBeGreaterThanOrEqual(times)),
    async desktop(fields = {}) {
      const { desktops = [] } = await office.ask('client:get_desktop', fields);
      return desktops;
    },
    async received(method, server = first) {
      const tool = server === first ? 'log' : `${server}__log`;
      const { requests } = JSON.parse(textOf(await office.callTool(tool)));
      return requests.filter(([name]: [string]) => method === undefined || name === method);
    },
    [Symbol.asyncDispose]: () => office[Symbol.asyncDispose](),
  };
}

/** The warnings about resources, each with the URI it is about. */
export function warnings(log: Log): [message: string, uri: unknown][] {
  return log.lines
    .filter(({ level, fields }) => level === 'warn' && fields !== undefined && 'uri' in fields)
    .map(({ message, fields }) => [message, fields?.uri]);
}
