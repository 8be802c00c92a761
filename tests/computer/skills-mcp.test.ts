import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ComputerOptions } from '@a2c-smcp/computer';
import { recordingLogger } from '@a2c-smcp/testing';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { serveOverHttp, tarGz } from './archives.ts';
import { eventually } from './office.ts';
import { openPublishing, type PublishingOffice } from './publishing.ts';
import { temporaryFolder } from './temporary.ts';

const ROOT = 'skill://com.example.app/one';
const ENTRY = '---\nname: one\ndescription: From a server\n---\n# One';

function resource(path: string, _meta?: object): object {
  return { uri: path === '' ? ROOT : `${ROOT}/${path}`, name: path || 'one', ...(_meta && { _meta }) };
}

function readThrough(files: Record<string, string | object[]>, extra: object = {}): object {
  const contents = Object.fromEntries(Object.entries(files).map(([path, text]) => [`${ROOT}/${path}`, text]));
  const listed = Object.keys(files).map(path => resource(path));
  return { resources: [resource('', { source: 'resources', version: '1.2' }), ...listed], contents, ...extra };
}

function published(meta: object, extra: object = {}): object {
  return { resources: [resource('', meta)], ...extra };
}

async function namesOf(office: PublishingOffice): Promise<string[]> {
  return (await office.ask('client:get_skills')).skills.map(({ name }) => name);
}

const blob = (bytes: Uint8Array) => [{ uri: 'x', blob: Buffer.from(bytes).toString('base64') }];

describe('skills that an MCP server has as resources', () => {
  verifies('skills.mcp.resources', async () => {
    const files = { 'SKILL.md': ENTRY, 'a%20b.md': 'with a space', 'data.bin': blob(new Uint8Array([1, 2, 255])) };
    await using office = await openPublishing({ app: readThrough(files) });
    const { skills } = await office.ask('client:get_skills');
    const provenance = { source: 'mcp:app', uri: ROOT, path: ROOT, version: '1.2' };
    expect(skills).toEqual([{ name: 'mcp:app:one', description: 'From a server', ...provenance }]);
    const read = (rel_path?: string) => office.ask('client:get_skill', { name: 'mcp:app:one', rel_path });
    expect(await read()).toMatchObject({ body: '# One', total_size: 5, mime_type: 'text/markdown' });
    expect(await read('a b.md')).toMatchObject({ body: 'with a space' });
    const { blob_handle, sha256 } = await read('data.bin');
    const part = await office.ask('client:get_blob', { blob_handle: blob_handle ?? '' });
    expect(part).toMatchObject({ blob: Buffer.from([1, 2, 255]).toString('base64'), sha256, eof: true });
    for (const path of ['missing.md', '../one/SKILL.md', '.skillenv']) {
      await expect(read(path)).rejects.toMatchObject({ code: 4017 });
    }
  });

  test('nothing of a skill is read before skills are asked for, and a file in many parts once', async () => {
    const content = 'x'.repeat(600 * 1024);
    await using office = await openPublishing({ app: readThrough({ 'SKILL.md': ENTRY, 'data.bin': 'small' }) });
    expect(await office.received('resources/read')).toEqual([]);
    await office.callTool('write', { uri: `${ROOT}/data.bin`, text: content });
    const file = await office.ask('client:get_skill', { name: 'mcp:app:one', rel_path: 'data.bin' });
    expect(file.total_size).toBe(content.length);
    for (const chunk_offset of [0, 262144, 524288]) {
      await office.ask('client:get_blob', { blob_handle: file.blob_handle ?? '', chunk_offset });
    }
    const read = (await office.received('resources/read')).filter(([, uri]) => String(uri).endsWith('data.bin'));
    expect(read).toHaveLength(1);
  });

  test('a server without subscriptions may publish skills, and its changes are announced', async () => {
    const script = readThrough({ 'SKILL.md': ENTRY }, { capability: { listChanged: true } });
    await using office = await openPublishing({ app: script });
    expect(await namesOf(office)).toEqual(['mcp:app:one']);
    let told = 0;
    office.agent.channel.on('notify:update_skills', () => void told++);
    await office.callTool('publish', { resources: [] });
    await eventually(() => expect(told).toBeGreaterThan(0));
    expect(await namesOf(office)).toEqual([]);
  });

  test('an updated SKILL.md is announced and read again', async () => {
    await using office = await openPublishing({ app: readThrough({ 'SKILL.md': ENTRY }) });
    await office.ask('client:get_skills');
    let told = 0;
    office.agent.channel.on('notify:update_skills', () => void told++);
    await eventually(async () => expect(await office.received('resources/subscribe')).toHaveLength(1));
    await office.callTool('write', { uri: `${ROOT}/SKILL.md`, text: ENTRY.replace('From', 'Fresh from') });
    await eventually(() => expect(told).toBeGreaterThan(0));
    expect(await office.ask('client:get_skills')).toMatchObject({ skills: [{ description: 'Fresh from a server' }] });
  });

  test('a resource below a root is a file of it, whatever it declares', async () => {
    const script = readThrough({ 'SKILL.md': ENTRY }) as { resources: object[] };
    script.resources.push(resource('nested', { source: 'resources' }), resource('nested/SKILL.md'));
    await using office = await openPublishing({ app: script });
    expect(await namesOf(office)).toEqual(['mcp:app:one']);
  });

  test('skills that cannot be used are left out and logged once, and the others are listed', async () => {
    const logger = recordingLogger();
    const other = (name: string, _meta: object) => ({ uri: `skill://com.example.app/${name}`, name, _meta });
    const script = readThrough({ 'SKILL.md': ENTRY }) as { resources: object[]; contents: Record<string, string> };
    script.resources.push(
      other('empty', { source: 'resources' }),
      other('nowhere', { source: 'mounted' }),
      other('odd', { source: 'archive', archive_uri: 'x://y', archive_format: 'rar' }),
      other('plain', {}),
      other('hang', { source: 'resources' }),
      { uri: 'skill://com.example.app/hang/SKILL.md', name: 'x' },
    );
    const named = { hang: ['skill://com.example.app/hang/SKILL.md'] };
    const bad = { ...readThrough({ 'SKILL.md': ENTRY.replace('one', 'No Name') }) };
    await using office = await openPublishing({ app: { ...script, ...named }, bad }, { logger, requestTimeout: 1000 });
    expect(await namesOf(office)).toEqual(['mcp:app:one']);
    expect(await namesOf(office)).toEqual(['mcp:app:one']);
    const warnings = logger.lines.filter(({ message }) => message === 'A skill of an MCP server is left out');
    expect(warnings).toHaveLength(5);
  });
});

describe('skills that an MCP server has in a folder', () => {
  verifies('skills.mcp.mounted', async () => {
    const folder = temporaryFolder();
    const mount_dir = join(folder, 'one');
    mkdirSync(mount_dir);
    writeFileSync(join(mount_dir, 'SKILL.md'), ENTRY);
    writeFileSync(join(mount_dir, 'run.sh'), 'true');
    const namesWith = async (options: Partial<ComputerOptions>, meta: object = { mount_dir }) => {
      await using office = await openPublishing({ app: published({ source: 'mounted', ...meta }) }, options);
      return await namesOf(office);
    };
    expect(await namesWith({})).toEqual([]);
    expect(await namesWith({ skills: { mountFolders: [temporaryFolder()] } })).toEqual([]);
    symlinkSync('/', join(folder, 'root'));
    const allowed = { skills: { mountFolders: [folder] } };
    expect(await namesWith(allowed, { mount_dir: join(folder, 'root', 'etc') })).toEqual([]);
    expect(await namesWith(allowed, { mount_dir: 'one' })).toEqual([]);
    await using office = await openPublishing({ app: published({ source: 'mounted', mount_dir }) }, allowed);
    expect((await office.ask('client:get_skills')).skills).toMatchObject([{ name: 'mcp:app:one', path: mount_dir }]);
    const file = await office.ask('client:get_skill', { name: 'mcp:app:one', rel_path: 'run.sh' });
    expect(file).toMatchObject({ body: 'true', mime_type: 'text/plain' });
  });
});

describe('skills that an MCP server has in an archive', () => {
  const LONG = `${'deep/'.repeat(30)}end.md`;
  const tar = tarGz([
    { path: './', type: '5' },
    { path: './SKILL.md', content: ENTRY },
    { path: 'scripts/run.sh', content: 'true', mode: '0000755' },
    { path: LONG, content: 'far down' },
  ]);
  const uri = 'skill://com.example.app/one.archive';
  const archive = (bytes: Buffer, meta: object = {}) =>
    published(
      { source: 'archive', archive_uri: uri, archive_format: 'tar.gz', ...meta },
      { contents: { [uri]: blob(bytes) } },
    );
  const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

  verifies('skills.mcp.archive', async () => {
    const zipped = { 'SKILL.md': strToU8(ENTRY), 'scripts/run.sh': strToU8('true'), [LONG]: strToU8('far down') };
    const zip = Buffer.from(zipSync(zipped));
    const sources = { tar: archive(tar, { archive_sha256: sumOf(tar) }), zip: archive(zip, { archive_format: 'zip' }) };
    const paths: string[] = [];
    {
      await using office = await openPublishing(sources);
      const { skills } = await office.ask('client:get_skills');
      expect(skills.map(({ name }) => name)).toEqual(['mcp:tar:one', 'mcp:zip:one']);
      paths.push(...skills.map(({ path }) => path));
      for (const path of paths) expect(statSync(path).mode & 0o777).toBe(0o700);
      expect(statSync(join(paths[0] ?? '', 'scripts/run.sh')).mode & 0o777).toBe(0o700);
      for (const { name } of skills) {
        expect(await office.ask('client:get_skill', { name })).toMatchObject({ body: '# One' });
        expect(await office.ask('client:get_skill', { name, rel_path: LONG })).toMatchObject({ body: 'far down' });
      }
    }
    // The folders are gone with the Computer.
    expect(paths.filter(path => existsSync(path))).toEqual([]);
  });

  const link = { path: 'link', type: '2', link: '/etc/passwd' };
  const entry = { path: 'SKILL.md', content: ENTRY };
  verifies(
    'skills.mcp.archive',
    async () => {
      const odd = [link, { path: '../evil.txt', content: 'x' }].map(member => archive(tarGz([entry, member])));
      await using office = await openPublishing({ linked: odd[0] ?? {}, leading: odd[1] ?? {}, sound: archive(tar) });
      expect(await namesOf(office)).toEqual(['mcp:sound:one']);
    },
    'a link or a path that leads out',
  );

  test.each([
    ['another sum than it says', () => archive(tar, { archive_sha256: sumOf(Buffer.from('x')) })],
    ['a symbolic link', () => archive(tarGz([entry, link]))],
    ['a hard link', () => archive(tarGz([entry, { ...link, type: '1' }]))],
    ['a path that leads out', () => archive(tarGz([entry, { path: '../evil.txt', content: 'x' }]))],
    ['an absolute path', () => archive(tarGz([entry, { path: '/tmp/a2c-evil.txt', content: 'x' }]))],
    ['one path twice', () => archive(tarGz([entry, { ...entry, content: 'x' }]))],
    ['a truncated end', () => archive(tar.subarray(0, tar.length - 60))],
    ['no gzip', () => archive(Buffer.from('not packed at all'))],
    ['a damaged header', () => archive(gzipSync(Buffer.alloc(2048, 7)))],
    ['no SKILL.md', () => archive(tarGz([{ path: 'a.md', content: ENTRY }]))],
    ['a link in a zip file', () => archive(linkedZip(), { archive_format: 'zip' })],
    ['a path that leads out of a zip file', () => archive(oddZip('../evil.txt'), { archive_format: 'zip' })],
    ['zip that is none', () => archive(tar, { archive_format: 'zip' })],
  ])('an archive with %s is left out, and leaves nothing behind', async (_, script) => {
    const temporary = useTemporaryFolder();
    {
      await using office = await openPublishing({ app: script() });
      expect(await namesOf(office)).toEqual([]);
    }
    expect(readdirSync(temporary)).toEqual([]);
    expect(existsSync('/tmp/a2c-evil.txt')).toBe(false);
  });

  test('an archive on the web is downloaded once, and without following redirects', async () => {
    await serveOverHttp(tar, async (archive_uri, asked) => {
      await using office = await openPublishing({ app: archive(tar, { archive_uri }) });
      expect(await namesOf(office)).toEqual(['mcp:app:one']);
      expect(await namesOf(office)).toEqual(['mcp:app:one']);
      await office.ask('client:get_skill', { name: 'mcp:app:one', rel_path: LONG });
      expect(asked).toEqual(['/skill.tar.gz']);
    });
    await serveOverHttp(tar, async (archive_uri, asked) => {
      const moved = new URL('/moved', archive_uri).href;
      await using office = await openPublishing({ app: archive(tar, { archive_uri: moved }) });
      expect(await namesOf(office)).toEqual([]);
      expect(asked).toEqual(['/moved']);
    });
  });
});

/** Makes an empty folder that of all temporary files, until the test is over. */
function useTemporaryFolder(): string {
  const folder = temporaryFolder();
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  onTestFinished(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  return folder;
}

function oddZip(path: string): Buffer {
  return Buffer.from(zipSync({ 'SKILL.md': strToU8(ENTRY), [path]: strToU8('x') }));
}

/** The mode of Unix, in the upper half of the attributes, says that the member is a link. */
function linkedZip(): Buffer {
  const link: [Uint8Array, object] = [strToU8('/etc/passwd'), { os: 3, attrs: 0o120777 << 16 }];
  return Buffer.from(zipSync({ 'SKILL.md': strToU8(ENTRY), link }));
}
