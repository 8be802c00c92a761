import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DocumentsClient, temporaryFolder } from './client.ts';
import { png } from './image-files.ts';
import { readBytes } from './reading.ts';
import { draw, PAGE, type Pdf } from './scanned-files.ts';

const { width, height } = PAGE;
const stripe = png(40, 10);

/** The first pictures of a page, and the bytes of the first. */
async function pageOf(paint: (pdf: Pdf) => void) {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'a.pdf'), await draw(paint));
  await using client = await DocumentsClient.open([folder.path]);
  const { elements } = await client.page('dpe://documents/a.pdf/pages/0');
  const [picture] = elements.filter(({ category }) => category === 'image');
  const uri = `dpe://documents/a.pdf/elements/${picture?.element_id}`;
  const { contents } = picture === undefined ? { contents: [] } : await client.mcp.readResource({ uri });
  const blob = contents[1] !== undefined && 'blob' in contents[1] ? String(contents[1].blob) : '';
  return { summaries: elements.map(({ summary }) => summary), bytes: Buffer.from(blob, 'base64') };
}

const OFF =
  'Words in the picture are not read: text recognition is off. Start a2c-documents with --ocr to switch it on';

/** Width and height of a png, or of a jpeg by the header of its frame. */
function sizeOf(bytes: Buffer): [number, number] {
  if (bytes.toString('latin1', 1, 4) === 'PNG') return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0, 0x00, 0x11, 0x08]));
  expect(frame).toBeGreaterThan(0);
  return [bytes.readUInt16BE(frame + 7), bytes.readUInt16BE(frame + 5)];
}

test('a page that is one scan has it as it is stored, and says how its words are read', async () => {
  const scan = png(80, 60);
  const { summaries, bytes } = await pageOf(pdf => pdf.image(scan, 0, 0, { width, height }));
  expect(summaries).toEqual(['Picture 1, 400 by 300 points', 'The page has no text: it is a scanned picture', OFF]);
  expect(sizeOf(bytes)).toEqual([80, 60]);
});

test('a page that is scanned in stripes is drawn as one picture', async () => {
  const { summaries, bytes } = await pageOf(pdf => {
    for (const top of [0, 100, 200]) pdf.image(stripe, 0, top, { width, height: 100 });
  });
  expect(summaries[0]).toBe('Page 1 as a picture, 400 by 300 points');
  expect(summaries.filter(summary => summary?.startsWith('Picture'))).toHaveLength(3);
  expect(summaries.at(-1)).toBe(OFF);
  expect(sizeOf(bytes)).toEqual([1112, 834]);
});

test('a page of lines alone is drawn, and one of nothing is empty', async () => {
  const { summaries, bytes } = await pageOf(pdf => pdf.moveTo(20, 20).lineTo(380, 280).stroke());
  expect(summaries[0]).toBe('Page 1 as a picture, 400 by 300 points');
  expect(sizeOf(bytes)).toEqual([1112, 834]);
  expect((await pageOf(() => {})).summaries).toEqual(['The page is empty']);
});

test('a scan that the page turns is drawn upright', async () => {
  const { summaries, bytes } = await pageOf(pdf => {
    (pdf.page.dictionary.data as Record<string, unknown>).Rotate = 90;
    pdf.image(png(80, 60), 0, 0, { width, height });
  });
  expect(summaries[0]).toBe('Page 1 as a picture, 300 by 400 points');
  expect(sizeOf(bytes)).toEqual([834, 1112]);
});

test('a scan behind recognised text is at the end of the page, and its words are not read again', async () => {
  const text = 'The notice period is three months, beginning with the first of April. '.repeat(3);
  const { summaries, bytes } = await pageOf(pdf => {
    pdf.image(png(80, 60), 0, 0, { width, height }).fillOpacity(0).text(text, 20, 20);
  });
  expect(summaries[0]).toMatch(/^The notice period/);
  expect(summaries.at(-1)).toBe('Picture 1, 400 by 300 points');
  expect(sizeOf(bytes)).toEqual([80, 60]);
});

test('a scan with a stamp is a scan', async () => {
  const { summaries } = await pageOf(pdf => pdf.image(png(80, 60), 0, 0, { width, height }).text('ACME-17', 20, 20));
  expect(summaries).toEqual(['Picture 1, 400 by 300 points', 'ACME-17', OFF]);
});

test('a page of text and small pictures has no picture of the whole', async () => {
  const { markdown } = await readBytes(
    'a.pdf',
    await draw(pdf => pdf.text('A title').image(stripe, 20, 100, { width: 100 })),
  );
  expect(markdown).not.toMatch(/as a picture|not read/);
});

test('without the native canvas, a page that cannot be drawn says so, and scans are as before', async () => {
  using folder = temporaryFolder();
  const hook = join(folder.path, 'without-canvas.cjs');
  writeFileSync(
    hook,
    `const Module = require('node:module');
     const load = Module._load;
     Module._load = function (name, ...rest) {
       if (name === '@napi-rs/canvas') throw new Error('Not installed');
       return load.call(this, name, ...rest);
     };`,
  );
  const stripes = await draw(pdf => {
    for (const top of [0, 150]) pdf.image(stripe, 0, top, { width, height: 150 });
  });
  writeFileSync(join(folder.path, 'stripes.pdf'), stripes);
  writeFileSync(join(folder.path, 'scan.pdf'), await draw(pdf => pdf.image(png(80, 60), 0, 0, { width, height })));
  await using client = await DocumentsClient.open([folder.path], { node: ['--require', hook] });
  const summaries = async (name: string) =>
    (await client.page(`dpe://documents/${name}/pages/0`)).elements.map(({ summary }) => summary);
  expect(await summaries('stripes.pdf')).toEqual([
    'Picture 1, 400 by 150 points',
    'Picture 2, 400 by 150 points',
    "The page has no text, and is not shown as one picture: the optional package '@napi-rs/canvas' is not installed",
  ]);
  expect(await summaries('scan.pdf')).toEqual([
    'Picture 1, 400 by 300 points',
    expect.stringContaining('scanned'),
    OFF,
  ]);
});
