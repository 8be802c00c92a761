import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContentBlock } from '@a2c-smcp/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { resultLines, saveBlobs } from './result.ts';

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
  ])('saveBlobs gives the MIME type %s a harmless extension', async (mimeType, name) => {
    const folder = temporaryFolder();
    await saveBlobs({ content: [blob(mimeType)] }, folder);
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('saveBlobs gives a block of any kind a short name', async () => {
    const folder = temporaryFolder();
    await saveBlobs({ content: [blob('image/png', `../${'k'.repeat(100_000)}`), blob('image/png', '///')] }, folder);
    expect(readdirSync(folder).every(name => /^\w{1,20}-\d\.png$/.test(name))).toBe(true);
  });

  test('saveBlobs neither overwrites existing files nor follows existing links', async () => {
    const folder = temporaryFolder();
    const victim = join(temporaryFolder(), 'victim');
    writeFileSync(victim, 'old');
    symlinkSync(victim, join(folder, 'image-1.png'));
    writeFileSync(join(folder, 'image-2.png'), 'old');
    symlinkSync(join(folder, 'dangling-target'), join(folder, 'image-3.png'));
    const paths = await saveBlobs({ content: [blob('image/png'), blob('image/png')] }, folder);
    expect(paths).toEqual([join(folder, 'image-4.png'), join(folder, 'image-5.png')]);
    expect(readFileSync(victim, 'utf8')).toBe('old');
    expect(readFileSync(join(folder, 'image-2.png'), 'utf8')).toBe('old');
    expect(lstatSync(join(folder, 'image-3.png')).isSymbolicLink()).toBe(true);
    expect(paths.map(path => readFileSync(path, 'utf8'))).toEqual(['new', 'new']);
  });
});

describe('result lines', () => {
  test('resultLines shows structured content without control characters and bidi marks', () => {
    const lines = resultLines({ content: [], structuredContent: { a: '\u009b2J\u202e' } });
    expect(lines.join('\n')).toBe('{\n  "a": "\\u009b2J\\u202e"\n}');
  });
});
