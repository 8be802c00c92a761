import { readFile } from 'node:fs/promises';
import { eventually } from '../eventually.ts';
import type { ToolResult } from '../peers/peer.ts';
import { expect } from './expect.ts';
import { COMPUTER, nameOf, type Scene, type Step } from './scene.ts';

const IMAGE = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };

/** Longer than five seconds, the limit of Servers that have one of their own. */
const SLOW = { milliseconds: 6000, limit: 12 };

/** Listing and calling tools. */
export const toolSteps: Step[] = [
  {
    name: 'get_tools with meta',
    run: async ({ agent }) => {
      const tools = await agent.tools(COMPUTER);
      const echo = tools.find(({ name }) => name.endsWith('echo'));
      const { a2c_tool_meta } = (echo?.meta ?? {}) as { a2c_tool_meta?: string };
      expect(JSON.parse(a2c_tool_meta ?? 'null')?.auto_apply === true, 'auto_apply in a2c_tool_meta', echo);
      expect((echo?.params_schema as { type?: string })?.type === 'object', 'the schema of the parameters', echo);
    },
  },
  {
    name: 'tool_call',
    run: async scene => {
      const { isError, content } = await call(scene, 'echo', { text: 'grüße' });
      expect(!isError && JSON.parse(String(content[0]?.text)).text === 'grüße', 'what was sent', content);
    },
  },
  {
    name: 'tool_call: tool fails',
    run: async scene => {
      const result = await call(scene, 'fail');
      expect(result.isError === true && result.content[0]?.text === 'it failed', 'the failure of the tool', result);
    },
  },
  {
    name: 'tool_call: unknown tool',
    run: async ({ agent }) => {
      const result = await agent.callTool({ computer: COMPUTER, tool: 'no-such-tool' });
      expect(result.isError === true, 'a failed result', result);
      expect(JSON.stringify(result).includes('no-such-tool'), 'a result that names the tool', result);
    },
  },
  {
    name: 'tool_call: image',
    run: async scene => {
      const { content } = await call(scene, 'odd', { result: { content: [IMAGE] } });
      const [image] = content;
      expect(
        image?.type === 'image' && image.data === IMAGE.data && image.mimeType === IMAGE.mimeType,
        'the image',
        image,
      );
    },
  },
  {
    name: 'tool_call: time-out',
    run: async scene => {
      const started = performance.now();
      const result = await call(scene, 'hang', {}, 1);
      expect(result.isError === true, 'a failed result', result);
      expect(performance.now() - started < 10_000, 'an end soon after the limit of one second');
    },
  },
  {
    name: 'tool_call: cancel',
    run: async scene => {
      const tool = await nameOf('hang', scene);
      const marker = `cancel-${Date.now()}`;
      const isCall = ({ params }: McpMessage) => params?.arguments?.marker === marker;
      const running = eventually(() => logged(scene, 'the call', isCall));
      const result = await scene.agent.callAndCancel({ computer: COMPUTER, tool, params: { marker } }, running);
      // The marker came with protocol 0.2.3; before, only the text tells.
      const isMarked = result.meta?.a2c_cancelled === true || /cancel/i.test(String(result.content[0]?.text));
      expect(result.isError === true && isMarked, 'a result that says it was cancelled', result);
      const { id } = await logged(scene, 'the call', isCall);
      const isCancel = ({ method, params }: McpMessage) =>
        method === 'notifications/cancelled' && params?.requestId === id;
      await eventually(() => logged(scene, 'that it is cancelled', isCancel), 5000);
    },
  },
];

/** Played once the MCP server is there that has the tool. */
export const slowToolSteps: Step[] = [
  {
    name: 'tool_call: six seconds',
    unless: ({ agent, server }) => {
      if (server.id === 'ours') return 'our Server has no limit but that of the call';
      return agent.id.startsWith('rust-') ? 'the Agent has one limit for all calls' : undefined;
    },
    run: async scene => {
      const tool = await eventually(() => nameOf('slow', scene));
      const params = { ms: SLOW.milliseconds };
      const result = await scene.agent.callTool({ computer: COMPUTER, tool, params }, SLOW.limit);
      expect(!result.isError && result.content[0]?.text === 'done', 'what the tool answers in the end', result);
    },
  },
];

/** Calls a tool of the Computer by the last part of its name. */
export async function call(scene: Scene, tool: string, params = {}, seconds?: number): Promise<ToolResult> {
  return scene.agent.callTool({ computer: COMPUTER, tool: await nameOf(tool, scene), params }, seconds);
}

interface McpMessage {
  id?: number | string;
  method?: string;
  params?: { arguments?: Record<string, unknown>; requestId?: number | string };
}

/** The message that the MCP server received. */
async function logged({ mcpLog }: Scene, what: string, matches: (message: McpMessage) => boolean): Promise<McpMessage> {
  const lines = (await readFile(mcpLog, 'utf8')).split('\n').filter(line => line !== '');
  const found = lines.map(line => JSON.parse(line) as McpMessage).find(matches);
  if (found === undefined) throw new Error(`The MCP server was not sent ${what}`);
  return found;
}
