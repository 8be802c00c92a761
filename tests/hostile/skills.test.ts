import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Computer } from '@a2c-smcp/computer';
import { recordingLogger } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { openServed } from '../../packages/computer/src/skills/folder.ts';
import { openOffice } from '../computer/office.ts';
import { temporaryFolder } from '../computer/temporary.ts';
import { EVIL } from './evil-server.ts';

const ENTRY = '---\ndescription: Does things\n---\n';

/** A folder with one skill, `one`, that has these files. */
function skillWith(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries({ 'SKILL.md': ENTRY, ...files })) {
    mkdirSync(join(folder, 'one', path, '..'), { recursive: true });
    writeFileSync(join(folder, 'one', path), content);
  }
  return folder;
}

describe.runIf(process.platform !== 'win32')('the folder of a skill', () => {
  test('a folder that is exchanged for a link again and again gives nothing of the outside', async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'data.txt'), 'secret');
    const folder = skillWith({ 'sub/data.txt': 'own' });
    const sub = join(folder, 'one/sub');
    symlinkSync(outside, join(folder, 'one/link'));
    const place = { root: join(folder, 'one'), allowed: [folder] };
    const seen = new Map<string, number>();
    const read = async () => {
      const content = await openServed(place, 'sub/data.txt').then(
        async file => {
          await using open = file;
          return Buffer.from(await open.read(0, open.size)).toString();
        },
        ({ details }) => details.reason as string,
      );
      seen.set(content, (seen.get(content) ?? 0) + 1);
    };
    let isDone = false;
    const exchanging = (async () => {
      while (!isDone) {
        renameSync(sub, `${sub}-own`);
        renameSync(join(folder, 'one/link'), sub);
        await new Promise(resolve => setImmediate(resolve));
        renameSync(sub, join(folder, 'one/link'));
        renameSync(`${sub}-own`, sub);
        await new Promise(resolve => setImmediate(resolve));
      }
    })();
    // A busy machine makes fewer rounds.
    const end = performance.now() + 10_000;
    for (let round = 0; round < 300 && performance.now() < end; round++) {
      await Promise.all(Array.from({ length: 10 }, read));
    }
    isDone = true;
    await exchanging;
    expect(seen.has('secret')).toBe(false);
    expect([...seen.keys()].every(content => ['own', 'traversal', 'not_found'].includes(content))).toBe(true);
    expect(seen.size).toBeGreaterThan(1);
  });

  test('a pipe, a device and a folder without end block nothing', async () => {
    const folder = skillWith({});
    execFileSync('mkfifo', [join(folder, 'one/pipe.txt')]);
    symlinkSync('/dev/zero', join(folder, 'one/zero.txt'));
    symlinkSync('.', join(folder, 'one/loop'));
    symlinkSync('self', join(folder, 'one/self'));
    await using office = await openOffice({ servers: {}, skills: { folder } });
    const reasonOf = (rel_path: string) =>
      office.ask('client:get_skill', { name: 'one', rel_path }).catch(({ details }) => details.reason);
    expect(await reasonOf('pipe.txt')).toBe('not_found');
    expect(await reasonOf('zero.txt')).toBe('traversal');
    expect(await reasonOf('self')).toBe('traversal');
    expect(await reasonOf('loop/loop/loop/SKILL.md')).toMatchObject({ total_size: ENTRY.length });
    expect((await office.ask('client:get_skills')).skills).toHaveLength(1);
  });

  test('a SKILL.md that is a pipe or a link to the outside costs its skill only', async () => {
    const folder = skillWith({});
    mkdirSync(join(folder, 'two'));
    execFileSync('mkfifo', [join(folder, 'two/SKILL.md')]);
    mkdirSync(join(folder, 'three'));
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'SKILL.md'), ENTRY);
    symlinkSync(join(outside, 'SKILL.md'), join(folder, 'three/SKILL.md'));
    await using computer = await Computer.open({ name: 'desk', skills: { folder } });
    expect((await computer.skills()).map(({ name }) => name)).toEqual(['one']);
  });

  test('a folder that vanishes while it is watched ends nothing', async () => {
    const folder = skillWith({});
    const logger = recordingLogger();
    await using office = await openOffice({ servers: {}, skills: { folder }, logger });
    rmSync(folder, { recursive: true });
    expect(await office.ask('client:get_skills')).toMatchObject({ skills: [] });
    await expect(office.ask('client:get_skill', { name: 'one' })).rejects.toMatchObject({ code: 4014 });
    expect(logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

test('requests with hostile names and paths are refused, and the refusals are short', async () => {
  await using office = await openOffice({ servers: {}, skills: { folder: skillWith({}) } });
  const long = 'x'.repeat(1_000_000);
  for (const fields of [
    { name: EVIL },
    { name: long },
    { name: 'one', rel_path: EVIL },
    { name: 'one', rel_path: long },
    { name: 'one', rel_path: `${'a/'.repeat(500_000)}b` },
    { name: '__proto__' },
    { name: 'constructor' },
  ]) {
    const error = await office.ask('client:get_skill', fields).catch(error => error);
    expect([4014, 4016, 4017]).toContain(error.code);
    expect(JSON.stringify(error.details).length + error.message.length).toBeLessThan(5000);
  }
  for (const blob_handle of [EVIL, long, '', '__proto__']) {
    await expect(office.ask('client:get_blob', { blob_handle })).rejects.toMatchObject({ code: 4018 });
  }
  for (const chunk_offset of [-1, 1.5, 2 ** 60]) {
    await expect(office.ask('client:get_blob', { blob_handle: 'x', chunk_offset })).rejects.toMatchObject({});
  }
});
