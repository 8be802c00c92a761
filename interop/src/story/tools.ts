import { readFile } from 'node:fs/promises';
import { eventually } from '../eventually.ts';
import type { ToolResult } from '../peers/peer.ts';
import { expect } from './expect.ts';
import { COMPUTER, nameOf, type Scene, type Step } from './scene.ts';

const IMAGE = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };

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
      const running = eventually(() => logged(scene, marker));
      const result = await scene.agent.callAndCancel({ computer: COMPUTER, tool, params: { marker } }, running);
      // The marker came with protocol 0.2.3; before, only the text tells.
      const isMarked = result.meta?.a2c_cancelled === true || /cancel/i.test(String(result.content[0]?.text));
      expect(result.isError === true && isMarked, 'a result that says it was cancelled', result);
      const { id } = JSON.parse(await logged(scene, marker));
      await eventually(() => logged(scene, `"notifications/cancelled","params":{"requestId":${id}`), 5000);
    },
  },
];

async function call(scene: Scene, tool: string, params = {}, seconds?: number): Promise<ToolResult> {
  return scene.agent.callTool({ computer: COMPUTER, tool: await nameOf(tool, scene), params }, seconds);
}

/** The message with this text that the MCP server received. */
async function logged({ mcpLog }: Scene, text: string): Promise<string> {
  const lines = (await readFile(mcpLog, 'utf8')).split('\n');
  const found = lines.find(line => line.replaceAll(' ', '').includes(text));
  if (found === undefined) throw new Error(`The MCP server was not sent ${text}`);
  return found;
}
