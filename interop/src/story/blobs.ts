import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../eventually.ts';
import type { ToolResult } from '../peers/peer.ts';
import { expect, expectReason, failure } from './expect.ts';
import {
  type Cell,
  COMPUTER,
  findTool,
  mainMcpServer,
  nameOf,
  PICTURE_SCHEMA,
  type Scene,
  type Step,
} from './scene.ts';
import { call } from './tools.ts';

/** Bytes of images, around the 32 KiB above which official Computers offload, and above what official Servers take. */
const SIZES = [32_767, 32_768, 32_769, 200_000, 5_000_000];
/** The Computer whose handles grow old. */
const ARCHIVE = 'archive';
/** Seconds, longer than the ten minutes after which our Computer drops handles. */
const OLD = 20 * 60;
/** Milliseconds after which our Computer drops handles in the story. */
const SHORT_LIFE = 3000;

/** Bytes beside the results. */
export const blobSteps: Step[] = [
  {
    name: 'tool_call: images of 32,767 to 5,000,000 bytes',
    unless: lacksHandles,
    run: async scene => {
      for (const size of SIZES) expectPicture(await call(scene, 'picture', { size }), size);
    },
  },
  {
    name: 'get_tools: return_schema',
    run: async ({ agent }) => {
      const { return_schema } = findTool('typed-picture', await agent.tools(COMPUTER));
      expect(isDeepStrictEqual(return_schema, PICTURE_SCHEMA), 'the schema of the result', return_schema);
    },
  },
  {
    name: 'tool_call: typed image of 200,000 bytes',
    unless: lacksHandles,
    run: scene => expectTyped(scene, 200_000),
  },
  {
    name: 'upload',
    unless: lacksUploads,
    run: async ({ agent, cell }) => {
      const bytes = Buffer.alloc(700_000, 'upload ');
      const path = String(await agent.upload?.(COMPUTER, '报告 2026.xlsx', bytes));
      expect((await readFile(path)).equals(bytes), 'the bytes of the file', path);
      // Official Computers drop letters outside of ASCII.
      expect(path.endsWith(cell.computer.id === 'ours' ? '/报告 2026.xlsx' : '.xlsx'), 'the name of the file', path);
    },
  },
  {
    name: 'upload: Chinese name',
    unless: lacksUploads,
    run: async ({ agent }) => {
      const path = String(await agent.upload?.(COMPUTER, '报告.xlsx', Buffer.from('报告')));
      expect((await readFile(path, 'utf8')) === '报告', 'the bytes of the file', path);
      expect(path.endsWith('/报告.xlsx'), 'the name of the file', path);
    },
  },
  {
    name: 'get_blob: handle of 20 minutes',
    unless: lacksHandles,
    run: async scene => {
      const { agent, cell, wires, key, office, mcpLog, handles } = scene;
      const servers = [mainMcpServer(mcpLog)];
      const options = { url: wires.computer.url, key, name: ARCHIVE, servers, handleAge: SHORT_LIFE };
      await using archive = await cell.computer.openComputer(options);
      await archive.join(office);
      const tool = await eventually(() => nameOf('picture', scene, ARCHIVE));
      await agent.callTool({ computer: ARCHIVE, tool, params: { size: 5_000_000 } });
      await archive.age?.(OLD);
      const read = async () => agent.readBlob?.(ARCHIVE, handles.at(-1) ?? '');
      // Ours has dropped it and says so; official Computers keep the bytes for ever.
      if (cell.computer.id === 'ours')
        await eventually(async () => expectReason(await failure(read()), /gone|deleted/i));
      else expect((await read()) === pictureOf(5_000_000), 'the bytes of the image');
    },
  },
];

/** Played last, after the Computer has left, for it can cost the Computer its connection. */
export const largeTypedSteps: Step[] = [
  {
    name: 'tool_call: typed image of 900,000 bytes',
    unless: lacksHandles,
    run: async scene => {
      await scene.computer.join(scene.office);
      await expectTyped(scene, 900_000);
    },
  },
];

function lacksHandles({ agent, server, computer }: Cell): string | undefined {
  const isOld = [agent, server, computer].some(({ protocolVersion }) => protocolVersion === undefined);
  return isOld ? 'one of them does not know handles' : undefined;
}

function lacksUploads({ agent, server, computer }: Cell): string | undefined {
  const isKnown = [agent, server, computer].every(({ knows }) => knows.has('uploads'));
  return isKnown ? undefined : 'one of them does not know uploads';
}

async function expectTyped(scene: Scene, size: number): Promise<void> {
  const { agent, computer } = scene.cell;
  const result = await eventually(() => call(scene, 'typed-picture', { size, typed: true }));
  expectPicture(result, size);
  const copy = copyIn(result);
  // Our Computer takes out items that do not fit into a message, and only our Agent knows where.
  const isTakenOut = copy === '' && agent.id !== 'ours' && computer.id === 'ours';
  expect(copy === pictureOf(size) || isTakenOut, 'the copy in the structured content', copy?.length);
}

/** The result of the tool `picture`, in base64. */
export function pictureOf(size: number): string {
  return Buffer.alloc(size, 7).toString('base64');
}

export function expectPicture({ content: [item] }: ToolResult, size: number): void {
  const data = String(item?.data);
  const facts = { type: item?.type, length: data.length, text: item?.text };
  expect(item?.type === 'image' && data === pictureOf(size), `the image of ${size} bytes`, facts);
}

function copyIn({ structuredContent }: ToolResult): string | undefined {
  return (structuredContent as { result?: { data?: string } } | undefined)?.result?.data;
}
