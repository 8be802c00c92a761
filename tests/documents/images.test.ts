import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DocumentsClient, temporaryFolder } from './client.ts';
import { heic, iptc, jpeg, png, pngChunk, segment, tiff, uint16, uint32, xmp } from './image-files.ts';
import { readBytes } from './reading.ts';

const RECOGNITION_OFF = /text recognition is off. Start a2c-documents with --ocr/;

/** The fields that a page shows, as an object. */
async function fieldsOf(name: string, bytes: Buffer | string) {
  const { document, pages, markdown } = await readBytes(name, bytes);
  const { headers, rows } = (pages[0]?.elements.find(({ category }) => category === 'table')?.content ?? {}) as {
    headers?: string[];
    rows?: string[][];
  };
  expect(headers).toEqual(['Field', 'Value']);
  return { document, pages, markdown, fields: Object.fromEntries(rows ?? []) as Record<string, string> };
}

const exifTags = [
  [0x010e, 'The harbour at dawn'],
  [0x010f, 'Canon'],
  [0x0110, 'Canon EOS R5'],
  [0x013b, 'Ada Lovelace'],
  [0xa430, 'Owner of the camera'],
  [
    0x8769,
    [
      [0x9003, '2024:05:01 12:30:00'],
      [0x9011, '+02:00'],
      [0xa431, 'serial-4711'],
    ],
  ],
  [0x8825, [[0x001b, 'GPS position']]],
] satisfies Parameters<typeof tiff>[0];

describe('a picture is a document', () => {
  test('a photo shows its size, date, camera and author, but no position, owner or serial number', async () => {
    const photo = jpeg(4000, 3000, [segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff(exifTags)]))]);
    const { document, pages, markdown, fields } = await fieldsOf('dawn.jpg', photo);
    expect(document).toMatchObject({
      title: 'dawn',
      page_count: 1,
      summary: 'JPEG picture, 4000 by 3000 pixels: The harbour at dawn',
    });
    expect(fields).toEqual({
      Format: 'JPEG picture, 4000 by 3000 pixels',
      Taken: '2024-05-01T12:30:00+02:00',
      Camera: 'Canon EOS R5',
      Author: 'Ada Lovelace',
    });
    expect(pages[0]?.elements[0]).toMatchObject({
      category: 'image',
      summary: 'The harbour at dawn: JPEG picture, 4000 by 3000 pixels',
      content: { mime_type: 'image/jpeg', width: 4000, height: 3000, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(markdown).toMatch(RECOGNITION_OFF);
    expect(markdown).not.toMatch(/GPS|Owner of|serial/);
  });

  test('a photo that is shown on its side has the size that is seen', async () => {
    const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff([[0x0112, 6]])]);
    const { fields } = await fieldsOf('side.jpeg', jpeg(400, 300, [segment(0xe1, exif)]));
    expect(fields.Format).toBe('JPEG picture, 300 by 400 pixels');
  });

  test('title, caption and keywords of agencies and of Adobe come before those of the camera', async () => {
    const packet = xmp(
      '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Morning</rdf:li></rdf:Alt></dc:title>' +
        '<dc:subject><rdf:Bag><rdf:li>harbour</rdf:li><rdf:li>boats</rdf:li></rdf:Bag></dc:subject>',
    );
    const { document, fields, markdown } = await fieldsOf(
      'agency.jpg',
      jpeg(40, 30, [
        segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff(exifTags)])),
        segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${packet}`)),
        segment(
          0xed,
          iptc([
            [120, 'Boats leave the harbour – early'],
            [25, 'boats'],
            [25, 'sea'],
            [116, '© 2024 Ada'],
          ]),
        ),
        segment(0xfe, Buffer.from('Scanned by the archive')),
      ]),
    );
    expect(document).toMatchObject({ title: 'Morning', keywords: ['harbour', 'boats', 'sea', 'agency.jpg'] });
    expect(fields).toMatchObject({ Keywords: 'harbour, boats, sea', Copyright: '© 2024 Ada' });
    expect(markdown).toContain('Boats leave the harbour – early');
    expect(markdown).toContain('Scanned by the archive');
    expect(markdown).not.toContain('The harbour at dawn');
  });

  test('texts of a PNG are read as they are, packed, and in any language', async () => {
    const { document, fields, markdown } = await fieldsOf(
      'chart.png',
      png(3, 2, [
        pngChunk('tEXt', Buffer.from('Title\0Caf\u00e9 sales', 'latin1')),
        pngChunk('zTXt', Buffer.concat([Buffer.from('Description\0\0'), deflateSync(Buffer.from('Cups by month'))])),
        pngChunk('iTXt', Buffer.from('Prompt\0\0\0zh\0\0咖啡的销量')),
        pngChunk('tEXt', Buffer.from('Software\0Some program')),
      ]),
    );
    expect(document).toMatchObject({ title: 'Café sales', summary: 'PNG picture, 3 by 2 pixels: Cups by month' });
    expect(fields).toEqual({ Format: 'PNG picture, 3 by 2 pixels', Prompt: '咖啡的销量' });
    expect(markdown).toContain('Cups by month');
  });

  test('gif, webp, bmp, tiff and heic have sizes and metadata', async () => {
    const gif = Buffer.concat([
      Buffer.from('GIF89a\x07\0\x05\0\0\0\0', 'latin1'),
      Buffer.from('!\xfe\x08A flower\0;', 'latin1'),
    ]);
    const found = await fieldsOf('flower.gif', gif);
    expect([found.fields.Format, found.document.summary]).toEqual([
      'GIF picture, 7 by 5 pixels',
      'GIF picture, 7 by 5 pixels: A flower',
    ]);
    const exif = tiff(exifTags);
    const chunk = (type: string, data: Buffer) =>
      Buffer.concat([Buffer.from(type, 'latin1'), uint32(data.length).reverse(), data, Buffer.alloc(data.length % 2)]);
    const large = chunk('VP8X', Buffer.from([0x08, 0, 0, 0, 0x3f, 0x06, 0, 0xaf, 0x04, 0]));
    const riff = Buffer.concat([Buffer.from('WEBP'), large, chunk('EXIF', exif)]);
    const webp = Buffer.concat([Buffer.from('RIFF'), uint32(riff.length).reverse(), riff]);
    expect((await fieldsOf('a.webp', webp)).fields).toMatchObject({
      Format: 'WebP picture, 1600 by 1200 pixels',
      Camera: 'Canon EOS R5',
    });
    const bmp = Buffer.alloc(54);
    bmp.write('BM');
    bmp.writeUInt32LE(40, 14);
    bmp.writeInt32LE(12, 18);
    bmp.writeInt32LE(-9, 22);
    expect((await fieldsOf('a.bmp', bmp)).fields).toEqual({ Format: 'BMP picture, 12 by 9 pixels' });
    const scan = tiff([[0x0100, 2480], [0x0101, 3508], ...exifTags]);
    expect((await fieldsOf('scan.tif', scan)).fields).toMatchObject({
      Format: 'TIFF picture, 2480 by 3508 pixels',
      Taken: '2024-05-01T12:30:00+02:00',
    });
    const phone = await fieldsOf('phone.heic', heic(4032, 3024, exif));
    expect(phone.fields).toMatchObject({
      Format: 'HEIF picture, 4032 by 3024 pixels',
      Taken: '2024-05-01T12:30:00+02:00',
      Camera: 'Canon EOS R5',
    });
    // No option would make text recognition read it.
    expect(phone.markdown).not.toMatch(RECOGNITION_OFF);
  });

  test('a drawing shows its title, its description and its words, and nothing of its scripts', async () => {
    const { document, pages, markdown, fields } = await fieldsOf(
      'plan.svg',
      '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' +
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100px" onload="alert(1)">' +
        '<title>Plan of the shop</title><desc>Where the shelves stand</desc><style>.a{fill:url(x)}</style>' +
        '<script>steal()</script><g><title>Counter</title><text x="1">Till<tspan x="1" dy="1">open &lt;9&gt; &b;</tspan></text></g></svg>',
    );
    expect(document).toMatchObject({ title: 'Plan of the shop' });
    expect(document.summary).toBe('SVG picture, 200 by 100 pixels: Where the shelves stand');
    expect(fields).toEqual({ Format: 'SVG picture, 200 by 100 pixels' });
    expect(markdown).toContain('Counter\nTill open <9> &b;');
    expect(markdown).not.toMatch(/steal|alert|url\(|aaaa|text recognition/);
    expect(pages[0]?.elements[0]).toMatchObject({ category: 'image', content: { mime_type: 'image/svg+xml' } });
  });

  test('the picture is handed over as it is stored, by its own format, and its page changes with its bytes', async () => {
    using folder = temporaryFolder();
    const bytes = png(4, 4);
    writeFileSync(join(folder.path, 'really-a-png.jpg'), bytes);
    const padding = pngChunk('prVt', Buffer.alloc(6 * 1024 * 1024));
    writeFileSync(join(folder.path, 'large.png'), png(3000, 30, [padding]));
    writeFileSync(join(folder.path, 'bomb.png'), png(4, 4, [padding], { width: 60_000, height: 60_000 }));
    await using client = await DocumentsClient.open([folder.path]);
    const page = await client.page('dpe://documents/really-a-png.jpg/pages/0');
    const uri = `dpe://documents/really-a-png.jpg/elements/${page.elements[0]?.element_id}`;
    const { contents } = await client.mcp.readResource({ uri });
    expect(contents[1]).toEqual({ uri, mimeType: 'image/png', blob: bytes.toString('base64') });
    writeFileSync(join(folder.path, 'really-a-png.jpg'), png(4, 4, [pngChunk('prVt', Buffer.from('other'))]));
    const changed = await client.page('dpe://documents/really-a-png.jpg/pages/0');
    expect(changed.elements[0]?.element_id).toBe(page.elements[0]?.element_id);
    expect(changed.hash).not.toBe(page.hash);
    const pictureOf = async (name: string) => {
      const { elements, content_text } = await client.page(`dpe://documents/${name}/pages/0?format=text`);
      const address = `dpe://documents/${name}/elements/${elements[0]?.element_id}`;
      const [, content] = (await client.mcp.readResource({ uri: address })).contents;
      return {
        text: content_text,
        blob: content && 'blob' in content ? Buffer.from(String(content.blob), 'base64') : undefined,
      };
    };
    const large = await pictureOf('large.png');
    expect(large.text).toContain('handed over with fewer pixels: it has 6.0 MiB, and answers take 5.0');
    const frame = large.blob?.indexOf(Buffer.from([0xff, 0xc0, 0x00, 0x11, 0x08])) ?? 0;
    expect([large.blob?.readUInt16BE(frame + 7), large.blob?.readUInt16BE(frame + 5)]).toEqual([2000, 20]);
    const bomb = await pictureOf('bomb.png');
    expect(bomb.text).toContain('not handed over: it has 6.0 MiB, and answers take 5.0');
    expect(bomb.blob).toBeUndefined();
  });
});

describe('a hostile picture', () => {
  /** Its page, and the milliseconds that it took. */
  async function timed(name: string, bytes: Buffer | string) {
    const start = performance.now();
    const read = await readBytes(name, bytes);
    return { ...read, ms: performance.now() - start };
  }

  test.each<[string, () => Buffer | string, RegExp]>([
    ['bomb.png', () => png(1, 1, [], { width: 60_000, height: 60_000 }), /60000 by 60000/],
    [
      'packed.png',
      () => png(1, 1, [pngChunk('zTXt', Buffer.concat([Buffer.from('Title\0\0'), deflateSync(Buffer.alloc(2e8))]))]),
      /1 by 1/,
    ],
    [
      'chunks.png',
      () =>
        png(
          1,
          1,
          Array.from({ length: 200_000 }, () => pngChunk('tEXt', Buffer.from('a\0b'))),
        ),
      /1 by 1/,
    ],
    ['endless.jpg', () => Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(3e6, 0xff)]), /JPEG picture/],
    [
      'segments.jpg',
      () =>
        jpeg(
          9,
          9,
          Array.from({ length: 50_000 }, () => segment(0xfe, Buffer.from('x'))),
        ),
      /JPEG/,
    ],
    [
      'circle.tif',
      () =>
        tiff(
          [
            [0x0100, 5],
            [0x0101, 6],
          ],
          8,
        ),
      /5 by 6/,
    ],
    [
      'deep.tif',
      () => Buffer.concat([Buffer.from('MM\0*', 'latin1'), uint32(8), uint16(65535), Buffer.alloc(10)]),
      /TIFF/,
    ],
    [
      'self.heic',
      () => Buffer.concat([heic(8, 8, tiff([])), uint32(0), Buffer.from('meta'), Buffer.alloc(1e5)]),
      /8 by 8/,
    ],
    ['tags.svg', () => `<svg><title>t</title>${'<g>'.repeat(300_000)}`, /SVG/],
    ['words.svg', () => `<svg>${'<text>word</text>'.repeat(200_000)}</svg>`, /SVG/],
    ['laughs.svg', () => '<!DOCTYPE svg [<!ENTITY a "&a;&a;">]><svg><text>&a;</text></svg>', /SVG/],
    ['cut.webp', () => Buffer.from('RIFF\x10\0\0\0WEBPVP8X\xff\xff\xff\xff', 'latin1'), /WebP/],
  ])('%s is described within bounds', async (name, make, expected) => {
    const { document, markdown, ms } = await timed(name, make());
    expect(document.summary).toMatch(expected);
    expect(markdown.length).toBeLessThan(150_000);
    expect(ms).toBeLessThan(10_000);
  });

  test('that no decoder can read, or that holds more notes than pixels, ends nothing', async () => {
    using folder = temporaryFolder();
    // Decoders of @napi-rs/canvas end the process for a picture without pixels.
    const signature = Buffer.from('89504e470d0a1a0a', 'hex');
    const header = pngChunk('IHDR', Buffer.concat([uint32(3000), uint32(300), Buffer.from([8, 9, 9, 0, 0])]));
    const rest = Buffer.alloc(6 * 1024 * 1024);
    writeFileSync(join(folder.path, 'damaged.png'), Buffer.concat([signature, header, rest]));
    // They take minutes for it.
    writeFileSync(join(folder.path, 'noted.png'), png(3000, 30, [pngChunk('prVt', Buffer.alloc(60_000_000))]));
    await using client = await DocumentsClient.open([folder.path]);
    const picturesOf = async (name: string) => {
      const { elements } = await client.page(`dpe://documents/${name}/pages/0`);
      const uri = `dpe://documents/${name}/elements/${elements[0]?.element_id}`;
      return (await client.mcp.readResource({ uri })).contents.slice(1).map(({ mimeType }) => mimeType);
    };
    expect(await picturesOf('damaged.png')).toEqual([]);
    expect(await picturesOf('noted.png')).toEqual(['image/jpeg']);
  });

  test('what is no picture says so', async () => {
    expect((await readBytes('empty.png', '')).markdown).toContain('The file is empty');
    expect((await readBytes('text.png', 'Not a picture')).markdown).toContain('not a picture of a known format');
  });
});
