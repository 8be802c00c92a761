import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { RequestOf } from '@a2c-smcp/protocol';
import { recordingLogger } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { type BareAgent, openBlobOffice } from './blob-office.ts';
import { temporaryFolder } from './temporary.ts';
import { openUploadOffice, sumOf } from './upload-office.ts';

const bytes = randomBytes(1000);

type Fields = Partial<RequestOf<'client:put_blob'>>;

/** The fields of a first part that is not the last. */
function first(data = bytes.subarray(0, 400), fields: Fields = {}): Fields {
  return {
    chunk_offset: 0,
    eof: false,
    blob: data.toString('base64'),
    total_size: bytes.length,
    sha256: sumOf(bytes),
    ...fields,
  };
}

function next(upload_id: string, from: number, to: number, fields: Fields = {}): Fields {
  return {
    upload_id,
    chunk_offset: from,
    eof: to === bytes.length,
    blob: bytes.subarray(from, to).toString('base64'),
    ...fields,
  };
}

const put = (agent: BareAgent, fields: Fields) => agent.ask('client:put_blob', fields);

/** The reason of a refused part. */
async function reasonOf(request: Promise<unknown>): Promise<unknown> {
  const error = await request.then(
    () => undefined,
    thrown => thrown,
  );
  return error?.code === 4019 ? error.details.reason : error;
}

verifies(['upload.parts', 'upload.landed'], async () => {
  await using office = await openUploadOffice();
  const agent = await office.join();
  const { upload_id } = await put(agent, first(undefined, { name_hint: '报告 2026.xlsx' }));
  expect(await put(agent, next(upload_id, 400, 900))).toMatchObject({ upload_id, chunk_offset: 400 });
  const last = await put(agent, next(upload_id, 900, 1000));
  expect(last).toMatchObject({ upload_id, total_size: 1000, sha256: sumOf(bytes) });
  const path = String(last.landing_path);
  expect(basename(path)).toBe('报告 2026.xlsx');
  expect(readFileSync(path)).toEqual(bytes);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  expect(statSync(office.folder).mode & 0o777).toBe(0o700);

  const whole = await put(agent, first(bytes, { eof: true, sha256: sumOf(bytes).toUpperCase() }));
  expect(basename(String(whole.landing_path))).toBe('file');
});

describe('a refused part', () => {
  test('is forbidden on a Computer without a folder for uploads', async () => {
    await using office = await openBlobOffice({});
    expect(await reasonOf(put(await office.join(), first()))).toBe('forbidden');
  });

  test('is forbidden when the folder cannot be used', async () => {
    const folder = temporaryFolder();
    await using shared = await openUploadOffice({ folder });
    chmodSync(folder, 0o777);
    expect(await reasonOf(put(await shared.join(), first()))).toBe('forbidden');
    chmodSync(folder, 0o700);
    writeFileSync(join(folder, 'file'), '');
    await using blocked = await openUploadOffice({ folder: join(folder, 'file', 'below') });
    expect(await reasonOf(put(await blocked.join(), first()))).toBe('forbidden');
  });

  verifies('upload.errors', async () => {
    await using office = await openUploadOffice({ maxBytes: 1000, maxConcurrent: 1 });
    const agent = await office.join();
    const reason = (fields: Fields) => reasonOf(put(agent, fields));
    const invalid: Fields[] = [
      { total_size: 0 },
      { total_size: -1 },
      { total_size: null },
      { sha256: 'abc' },
      { sha256: null },
      { name_hint: 'x'.repeat(5000) },
      { blob: 'A' },
      { blob: 'AA A' },
      { blob: 'AAA-' },
    ];
    for (const fields of invalid) expect(await reason(first(undefined, fields))).toBe('invalid_declaration');
    expect(await reason(first(undefined, { total_size: 1001 }))).toBe('too_large');
    expect(await reason(first(undefined, { chunk_offset: 5 }))).toBe('range');
    expect(await reason(first(undefined, { eof: true }))).toBe('range');
    expect(await reason(first(randomBytes(1001)))).toBe('range');
    expect(await reason(first(bytes, { eof: true, sha256: '0'.repeat(64) }))).toBe('integrity');
    expect(await reason(next('unknown', 0, 10))).toBe('invalid_upload');
    expect(office.folders()).toBe(0);

    const { upload_id } = await put(agent, first());
    expect(await reason(first())).toBe('busy');
    expect(await reason(next(upload_id, 400, 500, { total_size: 1000 }))).toBe('invalid_declaration');
    expect(await reason(next(upload_id, 400, 500, { blob: '****' }))).toBe('invalid_declaration');
    // None of these has changed anything.
    expect(await put(agent, next(upload_id, 400, 1000))).toMatchObject({ total_size: 1000 });
  });

  verifies('upload.range', async () => {
    await using office = await openUploadOffice();
    const agent = await office.join();
    const begin = async () => (await put(agent, first())).upload_id;
    const kept = await begin();
    expect(await reasonOf(put(agent, next(kept, 0, 400)))).toBe('range');
    expect(await reasonOf(put(agent, next(kept, 500, 600)))).toBe('range');
    expect(await put(agent, next(kept, 400, 1000))).toMatchObject({ total_size: 1000 });

    for (const fields of [
      { blob: randomBytes(601).toString('base64') },
      { eof: true },
      { eof: true, blob: '', chunk_offset: 0 },
    ]) {
      const dropped = await begin();
      expect(await reasonOf(put(agent, next(dropped, 400, 500, fields)))).toBe('range');
      expect(await reasonOf(put(agent, next(dropped, 400, 500)))).toBe('invalid_upload');
    }
    expect(office.folders()).toBe(1);
  });

  test('that comes twice at once is taken once', async () => {
    await using office = await openUploadOffice();
    const agent = await office.join();
    const { upload_id } = await put(agent, first());
    const twice = [next(upload_id, 400, 1000), next(upload_id, 400, 1000)].map(fields => put(agent, fields));
    const outcomes = await Promise.allSettled(twice);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
});

describe('an unfinished upload', () => {
  verifies('upload.slots', async () => {
    await using office = await openUploadOffice({ maxConcurrent: 2 });
    const agent = await office.join();
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(await reasonOf(put(agent, first(undefined, { blob: '!' })))).toBe('invalid_declaration');
    }
    const many = await Promise.allSettled(Array.from({ length: 10 }, () => put(agent, first())));
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(office.folders()).toBe(2);
  });

  verifies('upload.expiry', async () => {
    await using office = await openUploadOffice({ idle: 300, maxConcurrent: 1 });
    const agent = await office.join();
    const { upload_id } = await put(agent, first());
    await eventually(() => expect(office.folders()).toBe(0));
    expect(await reasonOf(put(agent, next(upload_id, 400, 1000)))).toBe('invalid_upload');
    expect(await put(agent, first())).toMatchObject({ chunk_offset: 0 });
  });

  verifies('upload.owner', async () => {
    await using office = await openUploadOffice();
    const one = await office.join();
    const { upload_id } = await put(one, first());
    await one.peer.leave();
    const two = await office.join('0.4.0', 'other');
    expect(await reasonOf(put(two, next(upload_id, 400, 1000)))).toBe('invalid_upload');
    await eventually(() => expect(office.folders()).toBe(0));
  });

  verifies(
    'upload.owner',
    async () => {
      const { Uploads } = await import('../../packages/computer/src/blobs/uploads.ts');
      const uploads = new Uploads({ folder: temporaryFolder() }, recordingLogger());
      const sha256 = createHash('sha256').update('abcd').digest('hex');
      const begin = { offset: 0, isLast: false, base64: btoa('ab'), size: 4, sha256 };
      const [owner, stranger] = [{}, {}];
      const { uploadId } = await uploads.put(owner, begin);
      const last = { uploadId, offset: 2, isLast: true, base64: btoa('cd') };
      expect(await reasonOf(uploads.put(stranger, last))).toBe('invalid_upload');
      expect((await uploads.put(owner, last)).file).toMatchObject({ size: 4, sha256 });
      await uploads.close();
    },
    'another owner cannot go on with it',
  );

  test('is deleted when the Computer leaves and when it stops', async () => {
    await using office = await openUploadOffice();
    const agent = await office.join();
    await put(agent, first());
    await office.computer.leave();
    await eventually(() => expect(office.folders()).toBe(0));
    await office.computer.join(office.server.url, { office: 'demo', protocolVersion: '0.4.0' });
    const again = await put(agent, first());
    const pending = put(agent, next(again.upload_id, 400, 900)).catch(() => undefined);
    await office.computer.close();
    await pending;
    expect(office.folders()).toBe(0);
  });
});

describe('a landed file', () => {
  const land = async (agent: BareAgent, fields: Fields = {}) =>
    String((await put(agent, first(bytes, { eof: true, ...fields }))).landing_path);

  verifies('upload.landed.life', async () => {
    await using office = await openUploadOffice();
    const one = await office.join();
    const path = await land(one);
    await one.peer.leave();
    await office.join('0.4.0', 'other');
    expect(readFileSync(path)).toEqual(bytes);
    await office.computer.close();
    expect(office.folders()).toBe(0);
  });

  test('is deleted by age, and by newer ones that need its room', async () => {
    await using office = await openUploadOffice({ maxAge: 1000, totalBytes: 2500 });
    const agent = await office.join();
    const oldest = await land(agent);
    await land(agent);
    await land(agent);
    await eventually(() => expect(existsSync(oldest)).toBe(false));
    await eventually(() => expect(office.folders()).toBe(0));
  });

  test('that a killed Computer left behind is deleted by age', async () => {
    await using office = await openUploadOffice({ maxAge: 60_000 });
    const names = ['0', '1'].map(digit => `upload-${digit.repeat(32)}`);
    const folders = [...names, 'mine'].map(name => join(office.folder, name));
    for (const folder of folders) mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(office.folder, 0o700);
    const [old = '', recent = '', mine = ''] = folders;
    for (const folder of [old, mine]) utimesSync(folder, 0, 0);
    await land(await office.join());
    expect([old, recent, mine].map(folder => existsSync(folder))).toEqual([false, true, true]);
  });

  test.each([
    ['../../outside.txt', 'outside.txt'],
    ['/etc/passwd', 'etcpasswd'],
    ['..\\..\\x.txt', 'x.txt'],
    ['.hidden', 'hidden'],
    ['nul.txt', 'file-nul.txt'],
    ['a\u0000b.txt', 'ab.txt'],
  ])('of the name %j stays in its folder', async (name_hint, expected) => {
    await using office = await openUploadOffice();
    const path = await land(await office.join(), { name_hint });
    expect(basename(path)).toBe(expected);
    expect(dirname(dirname(path))).toBe(office.folder);
  });

  test('never follows a link that was planted in the folder', async () => {
    await using office = await openUploadOffice();
    const agent = await office.join();
    const outside = temporaryFolder();
    const { upload_id } = await put(agent, first());
    // In the place of the next folder, and below the one that is there.
    symlinkSync(outside, join(office.folder, `upload-${'0'.repeat(32)}`));
    symlinkSync(join(outside, 'x'), join(office.folder, `upload-${upload_id}`, 'link'));
    await put(agent, next(upload_id, 400, 1000));
    await land(agent);
    expect(readdirSync(outside)).toEqual([]);
    await office.computer.close();
    expect(existsSync(outside)).toBe(true);
  });
});
