import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContentBlock } from '@a2c-smcp/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { saveAttachments } from './attachments.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-save-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A block of any type, also one that has no `data`. */
const blob = (mimeType: string, type = 'image') =>
  ({ type, mimeType, data: Buffer.from('new').toString('base64') }) as ContentBlock;

describe('saved files', () => {
  test.each([
    ['image/png', 'image-1.png'],
    ['image/jpeg', 'image-1.jpg'],
    ['image/svg+xml', 'image-1.svg'],
    ['audio/x-wav', 'image-1.wav'],
    ['a/__proto__', 'image-1.bin'],
    ['a/constructor', 'image-1.bin'],
    ['a/..', 'image-1.bin'],
    ['a/xxxxxxxxxxxxxxxxxxxxxx', 'image-1.bin'],
    ['nonsense', 'image-1.bin'],
  ])('saveAttachments gives the MIME type %s a harmless extension', async (mimeType, name) => {
    const folder = temporaryFolder();
    await saveAttachments([blob(mimeType)], folder);
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('saveAttachments gives a block of any kind a short name', async () => {
    const folder = temporaryFolder();
    await saveAttachments([blob('image/png', `../${'k'.repeat(100_000)}`), blob('image/png', '///')], folder);
    expect(readdirSync(folder).every(name => /^\w{1,20}-\d\.png$/.test(name))).toBe(true);
  });

  test('saveAttachments neither overwrites existing files nor follows existing links', async () => {
    const folder = temporaryFolder();
    const victim = join(temporaryFolder(), 'victim');
    writeFileSync(victim, 'old');
    symlinkSync(victim, join(folder, 'image-1.png'));
    writeFileSync(join(folder, 'image-2.png'), 'old');
    symlinkSync(join(folder, 'dangling-target'), join(folder, 'image-3.png'));
    const paths = [...(await saveAttachments([blob('image/png'), blob('image/png')], folder)).values()];
    expect(paths).toEqual([join(folder, 'image-4.png'), join(folder, 'image-5.png')]);
    expect(readFileSync(victim, 'utf8')).toBe('old');
    expect(readFileSync(join(folder, 'image-2.png'), 'utf8')).toBe('old');
    expect(lstatSync(join(folder, 'image-3.png')).isSymbolicLink()).toBe(true);
    expect(paths.map(path => readFileSync(path, 'utf8'))).toEqual(['new', 'new']);
  });

  const resource = (uri: string, fields: object = { text: 'new' }) =>
    ({ type: 'resource', resource: { uri, ...fields } }) as ContentBlock;

  test.each([
    ['file:///srv/report.pdf', 'report.pdf'],
    ['demo://a/b%20c.tar.gz?x=1#y', 'b c.tar.gz'],
    ['demo://resource/dynamic/text/1', '1.txt'],
    ['file:///日本.md', '日本.md'],
    ['file:///a/..', 'resource-1.txt'],
    ['file:///a/%2e%2e%2fetc%2fpasswd', '_etc_passwd.txt'],
    ['file:///a/-rf', 'rf.txt'],
    ['file:///a/.bashrc', 'bashrc.txt'],
    ['file:///a%00%1b[2J.txt', 'a__[2J.txt'.replace('[', '_')],
    [`file:///${'n'.repeat(300)}.txt`, `${'n'.repeat(96)}.txt`],
    ['nothing', 'nothing.txt'],
  ])('saveAttachments writes the resource %s as %s', async (uri, name) => {
    const folder = temporaryFolder();
    await saveAttachments([resource(uri)], folder);
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('saveAttachments numbers resources of one name, and writes the bytes of blobs', async () => {
    const folder = temporaryFolder();
    const bytes = resource('file:///a/report.pdf', { blob: Buffer.from([0, 255]).toString('base64') });
    await saveAttachments([bytes], folder);
    await saveAttachments([bytes, resource('file:///b/report.pdf')], folder);
    expect(readdirSync(folder)).toEqual(['report-2.pdf', 'report-3.pdf', 'report.pdf']);
    expect([...readFileSync(join(folder, 'report-2.pdf'))]).toEqual([0, 255]);
    expect(readFileSync(join(folder, 'report-3.pdf'), 'utf8')).toBe('new');
  });
});
