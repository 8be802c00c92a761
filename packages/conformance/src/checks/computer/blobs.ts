import { createHash } from 'node:crypto';
import { type Checks, expect } from '../../check.ts';
import { type ComputerStage, expectCode, type ToolResult } from '../../stages/computer-stage.ts';
import { MESSAGE_BYTES } from '../../stages/played-server.ts';

/** Bytes of images: one that does not fit into a message of the played Server, and one that does not fit twice. */
const LARGE = 2_000_000;
const TYPED = 900_000;
/** Megabytes. In proportion to them the second takes 12 times as long as the first, by their square 144 times. */
const [SMALLER, LARGER] = [2, 24];
const MAX_RATIO = 30;

/** Results that are large, and bytes that travel beside them. */
export const blobs: Checks<ComputerStage> = {
  'blob.offload.keys': {
    since: '0.2',
    run: async stage => {
      const { handle, size, sum } = await offloaded(stage);
      expect(size === LARGE, `a2c_total_size ${LARGE}`, size);
      expect(sum === sumOf(LARGE), `a2c_sha256 ${sumOf(LARGE)}`, sum);
      const bytes = await drain(stage, handle);
      expect(bytes.equals(Buffer.alloc(LARGE, 7)), 'the bytes of the image behind the handle', `${bytes.length} bytes`);
    },
  },
  'blob.parts': {
    since: '0.2',
    run: async stage => {
      const { handle } = await offloaded(stage);
      const part = await stage.ask('client:get_blob', { blob_handle: handle, chunk_offset: 0, max_chunk_bytes: 1000 });
      const length = Buffer.from(String(part.blob), 'base64').length;
      expect(length > 0 && length <= 1000, 'a part of at most max_chunk_bytes', { length });
      expect(part.eof === false && part.total_size === LARGE, 'eof false and the whole size', { ...part, blob: '…' });
    },
  },
  'blob.parts.any-order': {
    since: '0.2',
    run: async stage => {
      const { handle } = await offloaded(stage);
      const at = (chunk_offset: number) => stage.ask('client:get_blob', { blob_handle: handle, chunk_offset });
      const [last, first] = [await at(LARGE - 10), await at(0)];
      expect(last.eof === true && first.eof === false, 'the last bytes before the first', [last.eof, first.eof]);
      const end = await at(LARGE);
      expect(end.blob === '' && end.eof === true, 'an empty part at the end', { ...end });
    },
  },
  'blob.errors': {
    since: '0.2',
    run: async stage => {
      expectCode(await stage.ask('client:get_blob', { blob_handle: 'no handle', chunk_offset: 0 }), 4018);
      const { handle } = await offloaded(stage);
      const details = expectCode(
        await stage.ask('client:get_blob', { blob_handle: handle, chunk_offset: LARGE + 1 }),
        4018,
      );
      expect(details.reason === 'range', 'the reason "range"', details);
    },
  },
  'blob.offload.fit': {
    since: '0.2',
    run: async stage => {
      const member = await stage.computer();
      const { content = [], isError } = await stage.call('typed-picture', { size: TYPED, typed: true });
      expect(member.isOpen && !isError, 'a result that fits into a message, its copy included', content);
    },
  },
  'limits.result': async stage => {
    const member = await stage.computer();
    const result = await stage.call('big', { size: LARGE });
    expect(result.isError === true && member.isOpen, 'a failed result in place of a text that is too long', result);
    const text = String(result.content?.[0]?.text).replaceAll(/[,._ ]/g, '');
    expect(text.includes(String(MESSAGE_BYTES)), `a text that states the limit of ${MESSAGE_BYTES} bytes`, result);
  },
  'exec.time': {
    since: '0.2',
    timeout: 200_000,
    run: async stage => {
      const secondsFor = async (megabytes: number) => {
        const started = performance.now();
        const { isError, content } = await stage.call('picture', { size: megabytes * 1_000_000 }, 60);
        expect(!isError, `an image of ${megabytes} MB`, content);
        return (performance.now() - started) / 1000;
      };
      const measure = async () => {
        const short = Math.min(await secondsFor(SMALLER), await secondsFor(SMALLER));
        const long = await secondsFor(LARGER);
        const seen = `${short.toFixed(1)} s for ${SMALLER} MB, ${long.toFixed(1)} s for ${LARGER} MB`;
        return { isFine: long < 2 || long < MAX_RATIO * short, seen };
      };
      // The machine may have been busy in the wrong moment.
      const first = await measure().catch(() => undefined);
      const { isFine, seen } = first?.isFine ? first : await measure();
      expect(isFine, 'a time in proportion to the size', seen);
    },
  },
};

interface Offloaded {
  handle: string;
  size: unknown;
  sum: unknown;
}

async function offloaded(stage: ComputerStage): Promise<Offloaded> {
  const result: ToolResult = await stage.call('picture', { size: LARGE });
  const item = result.content?.find(({ type }) => type === 'image');
  const {
    a2c_blob_handle: handle,
    a2c_total_size: size,
    a2c_sha256: sum,
  } = (item?._meta ?? {}) as Record<string, unknown>;
  expect(item?.data === '' && typeof handle === 'string', 'an image without bytes and with a handle', result);
  return { handle, size, sum };
}

async function drain(stage: ComputerStage, handle: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let offset = 0; ; ) {
    const { blob, eof } = await stage.ask('client:get_blob', { blob_handle: handle, chunk_offset: offset });
    const bytes = Buffer.from(String(blob), 'base64');
    expect(bytes.length > 0, 'bytes', { blob, eof });
    parts.push(bytes);
    offset += bytes.length;
    if (eof === true) return Buffer.concat(parts);
  }
}

function sumOf(size: number): string {
  return createHash('sha256').update(Buffer.alloc(size, 7)).digest('hex');
}
