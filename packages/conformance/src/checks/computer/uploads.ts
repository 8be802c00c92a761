import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Checks, expect, skip } from '../../check.ts';
import { type ComputerStage, expectCode } from '../../stages/computer-stage.ts';
import type { Payload } from '../../stages/played-connection.ts';

/** Files that an Agent sends. */
export const uploads: Checks<ComputerStage> = {
  'upload.parts': {
    since: '0.4',
    run: async stage => {
      const bytes = Buffer.from('a file in two parts');
      const first = await put(stage, { ...declare(bytes), blob: bytes.subarray(0, 9).toString('base64') });
      const { upload_id } = first;
      expect(typeof upload_id === 'string', 'an upload_id', first);
      const rest = { upload_id, chunk_offset: 9, eof: true, blob: bytes.subarray(9).toString('base64') };
      const landed = await put(stage, rest);
      const path = String(landed.landing_path);
      expect(landed.total_size === bytes.length && landed.sha256 === sum(bytes), 'its size and sum', landed);
      // It may be on another machine.
      const written = await readFile(path).catch(() => bytes);
      expect(written.equals(bytes), 'the bytes that were sent', written.toString().slice(0, 100));
    },
  },
  'upload.landed': {
    since: '0.4',
    run: async stage => {
      const bytes = Buffer.from('报告');
      const whole = { ...declare(bytes, '报告.xlsx'), eof: true, blob: bytes.toString('base64') };
      const { landing_path } = await put(stage, whole);
      expect(/报告\.xlsx$/.test(String(landing_path)), "a path that ends with '报告.xlsx'", landing_path);
    },
  },
  'upload.errors': {
    since: '0.4',
    run: async stage => {
      const bytes = Buffer.from('never');
      const malformed = await put(stage, { ...declare(bytes), sha256: 'no sum', blob: bytes.toString('base64') });
      const { reason } = expectCode(malformed, 4019);
      expect(reason === 'invalid_declaration', 'the reason "invalid_declaration"', reason);
      const unknown = await put(stage, { upload_id: 'unknown', chunk_offset: 1, eof: true, blob: 'eA==' });
      expect(expectCode(unknown, 4019).reason === 'invalid_upload', 'the reason "invalid_upload"', unknown);
    },
  },
  'upload.range': {
    since: '0.4',
    run: async stage => {
      const bytes = Buffer.from('in order');
      const first = await put(stage, { ...declare(bytes), blob: bytes.subarray(0, 2).toString('base64') });
      const { upload_id } = first;
      const wrong = await put(stage, { upload_id, chunk_offset: 5, blob: 'eA==' });
      expect(expectCode(wrong, 4019).reason === 'range', 'the reason "range"', wrong);
      const rest = { upload_id, chunk_offset: 2, eof: true, blob: bytes.subarray(2).toString('base64') };
      const { landing_path } = await put(stage, rest);
      expect(typeof landing_path === 'string', 'the upload to go on where it was', landing_path);
    },
  },
};

/** The fields of the first part that describe the file. */
function declare(bytes: Buffer, name_hint = 'kit.txt'): Payload {
  return { total_size: bytes.length, sha256: sum(bytes), name_hint };
}

function sum(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Sends a part; the check does not apply to a Computer without a folder for uploads. */
async function put(stage: ComputerStage, fields: Payload): Promise<Payload> {
  const answer = await stage.askIfKnown('client:put_blob', { chunk_offset: 0, eof: false, ...fields });
  const { details } = answer as { details?: { reason?: unknown } };
  if (details?.reason === 'forbidden') skip('the Computer takes no uploads');
  return answer;
}
