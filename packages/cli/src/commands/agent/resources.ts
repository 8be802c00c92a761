import type { Agent } from '@a2c-smcp/agent';
import { ErrorCode, type Resource, SmcpError } from '@a2c-smcp/protocol';
import { defineCommand } from '../../command.ts';
import { readNumber } from '../../options.ts';
import { prettyJson } from '../../output/json.ts';
import { oneLine, table } from '../../output/table.ts';
import { agentOptions, computerOption, namedComputer, openAgent, pickComputer } from './connect.ts';

interface ServerResources {
  server: string;
  resources: Resource[];
  /** True if the limit was reached before the end of the list. */
  isCut: boolean;
}

/** `a2c agent resources` */
export const resources = defineCommand({
  summary: "List the resources of a Computer's MCP servers.",
  args: '[COMPUTER]',
  options: {
    ...agentOptions,
    ...computerOption,
    server: { type: 'string', value: 'NAME', summary: 'Only those of this MCP server' },
    limit: { type: 'string', value: 'N', default: '200', summary: 'List at most so many of each MCP server' },
  },
  examples: ['a2c agent resources desk', 'a2c agent read file:///srv/logo.png --save .   # reads one of them'],
  async run(context) {
    const { options, print, note, style, signal } = context;
    const limit = readNumber('--limit', options.limit, { min: 1, max: 100_000 });
    const wanted = namedComputer(context);
    await using agent = await openAgent(context);
    const computer = await pickComputer(agent, wanted);
    const servers =
      options.server === undefined
        ? Object.entries((await agent.getConfig(computer, { signal })).servers)
            .filter(([, { disabled }]) => disabled !== true)
            .map(([name]) => name)
        : [options.server];
    const lists: ServerResources[] = [];
    for (const server of servers) {
      const list = await listResources(agent, { computer, server, limit, signal }).catch(error => {
        // An MCP server without resources is not a failure where all are listed.
        if (options.server !== undefined || !lacksResources(error)) throw error;
        return undefined;
      });
      if (list && list.resources.length > 0) lists.push(list);
    }
    if (options.json) {
      print(prettyJson(lists.map(({ server, resources: listed }) => ({ server, resources: listed }))));
      return;
    }
    if (lists.length === 0) print(`No resources: no MCP server of '${oneLine(computer)}' lists any`);
    for (const [index, { server, resources: listed, isCut }] of lists.entries()) {
      if (index > 0) print('');
      print(`${style.bold(oneLine(server))}  ${style.dim(`${isCut ? 'the first ' : ''}${listed.length}`)}`);
      const rows = listed.map(({ uri, name, mimeType }) => [uri, textOf(mimeType), textOf(name)]);
      for (const line of table(['URI', 'TYPE', 'NAME'], rows, { style, keep: 0 })) print(line);
    }
    if (lists.some(({ isCut }) => isCut)) note(style.dim('There are more: --limit N lists more of them'));
  },
});

interface Wanted {
  computer: string;
  server: string;
  limit: number;
  signal: AbortSignal;
}

async function listResources(agent: Agent, { computer, server, limit, signal }: Wanted): Promise<ServerResources> {
  const listed: Resource[] = [];
  let cursor: string | undefined;
  do {
    const page = await agent.getResources(computer, { server, ...(cursor === undefined ? {} : { cursor }), signal });
    listed.push(...page.resources);
    // A page without resources would let a broken MCP server go on for ever.
    cursor = page.resources.length > 0 ? page.nextCursor : undefined;
  } while (cursor !== undefined && listed.length < limit);
  return { server, resources: listed.slice(0, limit), isCut: cursor !== undefined || listed.length > limit };
}

function lacksResources(error: unknown): boolean {
  return error instanceof SmcpError && error.code === ErrorCode.McpCapabilityMissing;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
