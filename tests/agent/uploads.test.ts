import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Agent } from '@a2c-smcp/agent';
import { describe, expect, test } from 'vitest';
import { openBlobOffice } from '../computer/blob-office.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { openUploadOffice, sumOf, type UploadOffice } from '../computer/upload-office.ts';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';

describe('agent.upload', () => {
  const big = randomBytes(1_000_000);
  const connect = (office: UploadOffice) =>
    Agent.connect(office.server.url, { name: 'ours', office: 'demo', protocolVersion: '0.4.0' });

  test('sends bytes, blobs, iterables and files, and returns where they are', async () => {
    await using office = await openUploadOffice();
    await using agent = await connect(office);
    const path = join(temporaryFolder(), 'résumé.pdf');
    writeFileSync(path, big);
    async function* pieces() {
      for (let at = 0; at < big.length; at += 7777) yield big.subarray(at, at + 7777);
    }
    const sources = [
      [big, 'file'],
      [new Uint8Array(big).buffer, 'file'],
      [new Blob([big]), 'file'],
      [new File([big], '报告.xlsx'), '报告.xlsx'],
      [pieces(), 'file'],
      [path, 'résumé.pdf'],
    ] as const;
    for (const [source, name] of sources) {
      const landed = await agent.upload('desk', source);
      expect(landed).toEqual({ path: landed.path, size: big.length, sha256: sumOf(big) });
      expect(basename(landed.path)).toBe(name);
      expect(readFileSync(landed.path).equals(big)).toBe(true);
    }
    expect(basename((await agent.upload('desk', big, { name: 'data.bin' })).path)).toBe('data.bin');
  });

  test('reports progress, and refuses what cannot be uploaded', async () => {
    await using office = await openUploadOffice({ maxBytes: 1_000_000 });
    await using agent = await connect(office);
    const sent: number[] = [];
    await agent.upload('desk', big, { onProgress: progress => sent.push(progress.sent / progress.total) });
    expect(sent.length).toBe(4);
    expect(sent.at(-1)).toBe(1);
    expect(sent).toEqual(sent.toSorted());
    await expect(agent.upload('desk', new Uint8Array())).rejects.toThrow('empty file');
    await expect(agent.upload('desk', '/nowhere/x')).rejects.toThrow('ENOENT');
    await expect(agent.upload('desk', temporaryFolder())).rejects.toThrow('not a file');
    await expect(agent.upload('desk', Buffer.alloc(1_000_001))).rejects.toMatchObject({
      code: 4019,
      details: { reason: 'too_large', limit: 1_000_000 },
    });
  });

  verifies('upload.given-up', async () => {
    await using office = await openUploadOffice();
    await using agent = await connect(office);
    const stop = new AbortController();
    const upload = agent.upload('desk', big, {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    });
    await expect(upload).rejects.toThrow('enough');
    await eventually(() => expect(office.folders()).toBe(0), 5000);
  });

  test('says when a Computer takes no uploads or leaves meanwhile', async () => {
    await using closed = await openBlobOffice({});
    await using agent = await Agent.connect(closed.server.url, { name: 'a', office: 'demo', protocolVersion: '0.4.0' });
    await expect(agent.upload('desk', big)).rejects.toMatchObject({ code: 4019, details: { reason: 'forbidden' } });

    await using office = await openUploadOffice();
    await using other = await connect(office);
    const upload = other.upload('desk', big, { onProgress: () => void office.computer.close() });
    await expect(upload).rejects.toMatchObject({ code: expect.any(Number) });
    await office.computer.close();
    expect(office.folders()).toBe(0);
  });
});
