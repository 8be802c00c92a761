import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Computer } from '@a2c-smcp/computer';
import type { GetSkillRet } from '@a2c-smcp/protocol';
import { recordingLogger } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually, type Office, openOffice } from './office.ts';
import { temporaryFolder } from './temporary.ts';

const ENTRY = '---\ndescription: Does things\n---\n';

/** A folder with these files, by path. */
function folderOf(files: Record<string, string | Uint8Array> = {}): string {
  const folder = temporaryFolder();
  put(folder, files);
  return folder;
}

function put(folder: string, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

function sumOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function openSkills(folder: string, options: { mountFolders?: string[] } = {}): Promise<Office> {
  return openOffice({ servers: {}, skills: { folder, ...options } });
}

/** Fetches all parts of a file. */
async function drain({ ask }: Office, { blob_handle = '' }: GetSkillRet): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let offset = 0; ; ) {
    const part = await ask('client:get_blob', { blob_handle: blob_handle ?? '', chunk_offset: offset });
    parts.push(Buffer.from(part.blob, 'base64'));
    offset += parts.at(-1)?.byteLength ?? 0;
    if (part.eof) return Buffer.concat(parts);
  }
}

describe('the list of skills', () => {
  verifies('skills.list', async () => {
    const files = {
      'one/SKILL.md': '---\ndescription: First\nlicense: MIT\ntags: [a]\nallowed-tools: run\n---\n# One',
      'two/SKILL.md': `---\nname: other\ndescription: "Zwei 二"\n---\n`,
      'notes.txt': 'no skill',
      'empty/readme.md': 'no skill',
    };
    const folder = folderOf(files);
    await using office = await openSkills(folder);
    const { skills } = await office.ask('client:get_skills');
    const one = { license: 'MIT', tags: ['a'], allowed_tools: ['run'] };
    expect(skills).toEqual([
      { name: 'one', source: 'user', path: join(folder, 'one'), description: 'First', ...one },
      { name: 'two', source: 'user', path: join(folder, 'two'), description: 'Zwei 二' },
    ]);
    expect(await office.computer.skills()).toEqual(skills);
  });

  verifies('skills.list.description', async () => {
    const files = { 'a/SKILL.md': '# none', 'b/SKILL.md': '---\nname: b\n---\n', 'Bad Name/SKILL.md': ENTRY };
    const logger = recordingLogger();
    const options = { servers: {}, skills: { folder: folderOf(files) }, logger };
    await using computer = await Computer.open({ name: 'desk', ...options });
    expect(await computer.skills()).toEqual([]);
    await computer.skills();
    // Each is reported once, however often the folder is read.
    expect(logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(3);
  });

  test('a Computer without a folder has no skills and answers at once', async () => {
    await using office = await openOffice();
    expect(await office.ask('client:get_skills')).toMatchObject({ skills: [] });
  });

  test('a folder that does not exist is an error of the configuration', async () => {
    const missing = join(temporaryFolder(), 'missing');
    await expect(Computer.open({ name: 'desk', skills: { folder: missing } })).rejects.toMatchObject({
      name: 'ConfigError',
      path: 'skills.folder',
    });
  });

  test('of more than 500 skills the first are listed', { timeout: 30_000 }, async () => {
    const names = Array.from({ length: 520 }, (_, index) => `s${String(index).padStart(4, '0')}`);
    const folder = folderOf(Object.fromEntries(names.map(name => [`${name}/SKILL.md`, ENTRY])));
    await using computer = await Computer.open({ name: 'desk', skills: { folder } });
    expect((await computer.skills()).map(({ name }) => name)).toEqual(names.slice(0, 500));
  });
});

describe('a file of a skill', () => {
  verifies('skills.file.entry', async () => {
    await using office = await openSkills(folderOf({ 'one/SKILL.md': `${ENTRY}# Öne\r\n` }));
    const body = '# Öne\r\n';
    const facts = { mime_type: 'text/markdown', total_size: 8, sha256: sumOf(body) };
    for (const rel_path of [undefined, null, '', 'SKILL.md']) {
      const answer = await office.ask('client:get_skill', { name: 'one', rel_path });
      expect(answer).toEqual({ name: 'one', rel_path: 'SKILL.md', ...facts, body, req_id: answer.req_id });
    }
  });

  verifies(['skills.file.text', 'skills.file.mime'], async () => {
    const image = randomBytes(10);
    const files = {
      'one/SKILL.md': ENTRY,
      'one/run.py': 'print()',
      'one/data/short.json': '{}',
      'one/exact.txt': 'x'.repeat(32 * 1024),
      'one/long.txt': 'x'.repeat(32 * 1024 + 1),
      'one/latin.txt': Buffer.from([0xe4, 0xf6]),
      'one/a.png': image,
    };
    await using office = await openSkills(folderOf(files));
    const read = (rel_path: string) => office.ask('client:get_skill', { name: 'one', rel_path });
    expect(await read('SKILL.md')).toMatchObject({ mime_type: 'text/markdown' });
    expect(await read('run.py')).toMatchObject({ mime_type: 'text/plain', body: 'print()' });
    expect(await read('data//./short.json')).toMatchObject({ mime_type: 'application/json', body: '{}' });
    expect((await read('exact.txt')).body).toHaveLength(32 * 1024);
    for (const [path, content] of Object.entries(files).slice(4)) {
      const file = await read(path.slice('one/'.length));
      expect(file).not.toHaveProperty('body');
      expect(file).toMatchObject({ total_size: content.length, sha256: sumOf(content) });
      expect((await drain(office, file)).equals(Buffer.from(content))).toBe(true);
    }
  });

  verifies(['skills.name.malformed', 'skills.name.unknown'], async () => {
    await using office = await openSkills(folderOf({ 'one/SKILL.md': ENTRY }));
    for (const name of ['', 'One', '../one', 'a:b:c', 'one/..', 'x'.repeat(5000)]) {
      const asked = office.ask('client:get_skill', { name });
      await expect(asked).rejects.toMatchObject({ code: 4016, details: { name: expect.any(String) } });
    }
    for (const name of ['two', 'plugin:one', 'mcp:app:one']) {
      await expect(office.ask('client:get_skill', { name })).rejects.toMatchObject({ code: 4014, details: { name } });
      await office.ask('client:get_skill', { name }).catch(({ details }) => {
        expect(details).not.toHaveProperty('mcp_server');
      });
    }
  });

  verifies(['skills.file.traversal', 'skills.file.forbidden', 'skills.file.not-found'], async () => {
    const outside = folderOf({ 'secret.txt': 'secret', 'deep/secret.txt': 'secret' });
    const folder = folderOf({ 'one/SKILL.md': ENTRY, 'one/.skillenv': 'KEY=1', 'two/SKILL.md': ENTRY });
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'one/link.txt'));
    symlinkSync(join(outside, 'deep'), join(folder, 'one/deep'));
    symlinkSync(join(folder, 'two/SKILL.md'), join(folder, 'one/neighbour.md'));
    symlinkSync('.skillenv', join(folder, 'one/alias.txt'));
    symlinkSync('SKILL.md', join(folder, 'one/inside.md'));
    mkdirSync(join(folder, 'one/sub'));
    await using office = await openSkills(folder);
    const reasonOf = (rel_path: string) =>
      office.ask('client:get_skill', { name: 'one', rel_path }).then(
        () => 'served',
        ({ code, details }) => `${code} ${details.reason}`,
      );
    for (const path of ['../two/SKILL.md', '/etc/passwd', 'link.txt', 'deep/secret.txt', 'neighbour.md', 'a\\b']) {
      expect(await reasonOf(path), path).toBe('4017 traversal');
    }
    for (const path of ['.skillenv', '.SKILLENV', 'sub/.skillenv', 'alias.txt']) {
      expect(await reasonOf(path), path).toBe('4017 forbidden');
    }
    for (const path of ['missing', 'sub', 'SKILL.md/x', '.']) expect(await reasonOf(path), path).toBe('4017 not_found');
    expect(await reasonOf('inside.md')).toBe('served');
  });

  verifies('skills.file.too-large', async () => {
    const folder = folderOf({ 'one/SKILL.md': ENTRY, 'one/huge.bin': '', 'one/large.bin': '' });
    truncateSync(join(folder, 'one/huge.bin'), 100 * 1024 * 1024 + 1);
    await using office = await openSkills(folder);
    await expect(office.ask('client:get_skill', { name: 'one', rel_path: 'huge.bin' })).rejects.toMatchObject({
      code: 4017,
      details: { reason: 'too_large', rel_path: 'huge.bin', total_size: 100 * 1024 * 1024 + 1 },
    });
  });

  test('a skill that is a link out of the folder is served only where its owner allows the target', async () => {
    const elsewhere = folderOf({ 'work/SKILL.md': `${ENTRY}text` });
    const folder = folderOf();
    symlinkSync(join(elsewhere, 'work'), join(folder, 'work'));
    await using strict = await openSkills(folder);
    expect(await strict.ask('client:get_skills')).toMatchObject({ skills: [] });
    await expect(strict.ask('client:get_skill', { name: 'work' })).rejects.toMatchObject({ code: 4014 });
    await strict[Symbol.asyncDispose]();
    await using open = await openSkills(folder, { mountFolders: [elsewhere] });
    expect(await open.ask('client:get_skill', { name: 'work' })).toMatchObject({ body: 'text' });
  });
});

describe('a file behind a handle', () => {
  verifies('skills.blob.parts', async () => {
    const content = randomBytes(600 * 1024);
    const folder = folderOf({ 'one/SKILL.md': ENTRY, 'one/data.bin': content });
    await using office = await openSkills(folder);
    const file = await office.ask('client:get_skill', { name: 'one', rel_path: 'data.bin' });
    const part = (fields: object) => office.ask('client:get_blob', { blob_handle: file.blob_handle ?? '', ...fields });
    const first = await part({});
    expect(first).toMatchObject({ total_size: content.length, sha256: sumOf(content), chunk_offset: 0, eof: false });
    expect(Buffer.from(first.blob, 'base64').equals(content.subarray(0, 256 * 1024))).toBe(true);
    expect(await part({ chunk_offset: 10, max_chunk_bytes: 3 })).toMatchObject({
      chunk_offset: 10,
      blob: content.subarray(10, 13).toString('base64'),
    });
    expect(await part({ chunk_offset: content.length })).toMatchObject({ blob: '', eof: true });
    expect((await drain(office, file)).equals(content)).toBe(true);
    // A folder that is replaced by a link between two parts.
    const outside = folderOf({ 'SKILL.md': ENTRY, 'data.bin': 'stolen' });
    renameSync(join(folder, 'one'), join(folder, 'before'));
    symlinkSync(outside, join(folder, 'one'));
    await expect(part({})).rejects.toMatchObject({ code: 4018 });
    rmSync(join(folder, 'one'));
    renameSync(join(folder, 'before'), join(folder, 'one'));
    // A new version is another sum, so that the Agent begins anew.
    put(folder, { 'one/data.bin': 'changed' });
    expect(await part({})).toMatchObject({ sha256: sumOf('changed'), total_size: 7, eof: true });
  });

  verifies('skills.blob.refused', async () => {
    const folder = folderOf({ 'one/SKILL.md': ENTRY, 'one/data.bin': 'x' });
    await using office = await openSkills(folder);
    const { blob_handle } = await office.ask('client:get_skill', { name: 'one', rel_path: 'data.bin' });
    const reasonOf = (fields: object) =>
      office.ask('client:get_blob', { blob_handle: blob_handle ?? '', ...fields }).then(
        () => 'served',
        ({ code, details }) => `${code} ${details.reason}`,
      );
    expect(await reasonOf({ chunk_offset: 1 })).toBe('served');
    expect(await reasonOf({ chunk_offset: 2 })).toBe('4018 range');
    expect(await reasonOf({ blob_handle: '../../etc/passwd' })).toBe('4018 invalid_handle');
    expect(await reasonOf({ blob_handle: `skill-${crypto.randomUUID()}` })).toBe('4018 gone');
    rmSync(join(folder, 'one/data.bin'));
    expect(await reasonOf({})).toBe('4018 gone');
    put(folder, { 'one/data.bin': 'x' });
    expect(await reasonOf({})).toBe('served');
  });

  verifies(
    'skills.blob.refused',
    async () => {
      const folder = folderOf({ 'one/SKILL.md': ENTRY, 'one/data.bin': 'x' });
      await using office = await openSkills(folder);
      const { blob_handle } = await office.ask('client:get_skill', { name: 'one', rel_path: 'data.bin' });
      await office.computer.join(office.server.url, { office: 'other' });
      await using agent = await import('@a2c-smcp/peer').then(({ Peer }) =>
        Peer.join(office.server.url, { role: 'agent', name: 'stranger', office: 'other' }),
      );
      const request = { agent: 'stranger', computer: 'desk', req_id: 'r1', blob_handle: blob_handle ?? '' };
      await expect(agent.call('client:get_blob', request, { timeout: 10_000 })).rejects.toMatchObject({
        code: 4018,
        details: { reason: 'forbidden' },
      });
    },
    'in another office',
  );
});

verifies('skills.changes', async () => {
  const folder = folderOf({ 'one/SKILL.md': ENTRY });
  await using office = await openSkills(folder);
  let told = 0;
  let emitted = 0;
  office.agent.channel.on('notify:update_skills', () => void told++);
  office.computer.on('skills', () => void emitted++);
  const after = async (change: () => void) => {
    const before = told;
    change();
    await eventually(() => expect(told).toBeGreaterThan(before));
  };
  await after(() => put(folder, { 'two/SKILL.md': ENTRY }));
  expect((await office.ask('client:get_skills')).skills.map(({ name }) => name)).toEqual(['one', 'two']);
  await after(() => put(folder, { 'two/SKILL.md': '---\ndescription: New\n---\n' }));
  await after(() => rmSync(join(folder, 'one'), { recursive: true }));
  expect((await office.ask('client:get_skills')).skills).toMatchObject([{ name: 'two', description: 'New' }]);
  expect(emitted).toBeGreaterThanOrEqual(3);
  // Files that are no skill are no change; the next change is the only one that is announced.
  const before = told;
  put(folder, { 'notes.txt': 'x', 'two/other.md': 'y' });
  await after(() => put(folder, { 'three/SKILL.md': ENTRY }));
  expect(told - before).toBeLessThanOrEqual(2);
});
