import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { builtLibrary, DocumentsClient, documentsCommand, temporaryFolder } from './client.ts';
import { png } from './image-files.ts';
import { draw, PAGE, printed } from './scanned-files.ts';

const { width, height } = PAGE;
const hasTesseract = spawnSync('tesseract', ['--version']).status === 0;
const path = process.env.PATH;
afterEach(() => {
  process.env.PATH = path;
});

describe.skipIf(!hasTesseract)('with Tesseract (needs tesseract on the PATH)', () => {
  test('words of pictures and scanned pages are read, marked as recognised, and found', async () => {
    using folder = temporaryFolder();
    const words = await printed('The notice period is three months');
    writeFileSync(join(folder.path, 'photo.jpg'), words);
    const scan = await draw(pdf => pdf.image(words, 0, 0, { width, height }));
    writeFileSync(join(folder.path, 'scan.pdf'), scan);
    const stripes = await draw(pdf => {
      pdf.image(words, 0, 0, { width, height }).image(png(10, 10), 0, 250, { width, height: 50 });
    });
    writeFileSync(join(folder.path, 'stripes.pdf'), stripes);
    writeFileSync(join(folder.path, 'nothing.png'), png(60, 60));
    await using client = await DocumentsClient.open([folder.path, '--ocr', 'eng']);
    for (const name of ['photo.jpg', 'scan.pdf', 'stripes.pdf']) {
      const page = await client.page(`dpe://documents/${name}/pages/0?format=text`);
      expect(page.content_text).toMatch(
        /was recognised in the picture and may have errors\W+The notice period is three months/,
      );
      const text = page.elements.at(-1);
      expect(text).toMatchObject({ category: 'text', content: { text: 'The notice period is three months' } });
      const element = await client.element(`dpe://documents/${name}/elements/${text?.element_id}`);
      expect(element.content).toEqual(text?.content);
    }
    const nothing = await client.page('dpe://documents/nothing.png/pages/0?format=text');
    expect(nothing.content_text).toContain('Text recognition found no words in the picture');
    await eventually(async () => {
      const { structuredContent } = await client.mcp.callTool({
        name: 'search_documents',
        arguments: { query: 'notice period' },
      });
      const { hits = [] } = (structuredContent ?? {}) as { hits?: { uri: string }[] };
      expect(hits.map(({ uri }) => uri).toSorted()).toEqual([
        'dpe://documents/photo.jpg/pages/0',
        'dpe://documents/scan.pdf/pages/0',
        'dpe://documents/stripes.pdf/pages/0',
      ]);
    });
  });

  test('a language that is not installed is named', async () => {
    using folder = temporaryFolder();
    const { DocumentLibrary } = await builtLibrary();
    const opening = DocumentLibrary.open({ folders: [folder.path], ocr: 'eng+tlh' });
    await expect(opening).rejects.toThrow("does not know 'tlh'");
  });
});

test('without the command, --ocr says what to install', () => {
  using folder = temporaryFolder();
  const { status, stderr } = spawnSync(process.execPath, [documentsCommand, folder.path, '--ocr', 'eng'], {
    env: { PATH: folder.path },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([
    1,
    "a2c-documents: Text recognition needs the command 'tesseract', which cannot be started; install Tesseract first\n",
  ]);
});

test.each(['eng; rm -rf', '--help', '', '../eng'])('%j is no name of a language', async ocr => {
  using folder = temporaryFolder();
  const { DocumentLibrary } = await builtLibrary();
  await expect(DocumentLibrary.open({ folders: [folder.path], ocr })).rejects.toThrow(/named as in 'eng\+chi_sim'/);
});

describe('a command that misbehaves', () => {
  /** A library with a picture, and a `tesseract` that runs a script for it. */
  async function library(script: string) {
    const folder = temporaryFolder();
    const bin = temporaryFolder();
    writeFileSync(join(folder.path, 'a.png'), png(8, 8));
    const command = join(bin.path, 'tesseract');
    writeFileSync(command, `#!/bin/sh\n[ "$1" = --list-langs ] && { echo eng; exit; }\ncd ${bin.path}\n${script}\n`);
    chmodSync(command, 0o755);
    process.env.PATH = `${bin.path}${delimiter}${path}`;
    const { DocumentLibrary } = await builtLibrary();
    const opened = await DocumentLibrary.open({ host: 'documents', folders: [folder.path], ocr: 'eng' });
    return {
      opened,
      file: (name: string) => join(bin.path, name),
      async [Symbol.asyncDispose]() {
        await opened.close();
        folder[Symbol.dispose]();
        bin[Symbol.dispose]();
      },
    };
  }
  const uri = 'dpe://documents/a.png/pages/0?format=text';

  test('that fails or prints without end leaves the rest of the page', async () => {
    for (const [script, reason] of [
      ['exit 3', 'Text recognition failed with the exit code 3'],
      ['exec yes', 'Text recognition found too much text'],
    ] as const) {
      await using made = await library(script);
      const page = await made.opened.read(uri);
      expect(page).toMatchObject({ content_text: expect.stringContaining(`are not read. ${reason}`) });
      expect(page).toMatchObject({ content_text: expect.stringContaining('PNG picture, 8 by 8 pixels') });
    }
  });

  test.each(['cancelled', 'closed'])('that hangs is ended when the read is %s', async how => {
    await using made = await library('echo $$ > pid; exec sleep 1000');
    const abort = new AbortController();
    const reading = made.opened.read(uri, { signal: abort.signal });
    reading.catch(() => {});
    await eventually(() =>
      expect(existsSync(made.file('pid')) && readFileSync(made.file('pid'), 'utf8')).toMatch(/\n/),
    );
    const pid = Number(readFileSync(made.file('pid'), 'utf8'));
    expect(process.kill(pid, 0)).toBe(true);
    if (how === 'cancelled') {
      abort.abort(new Error('no longer wanted'));
      await expect(reading).rejects.toThrow('no longer wanted');
    } else await made.opened.close();
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
  });
});
