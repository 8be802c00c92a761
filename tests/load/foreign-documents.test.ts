import { basename, dirname, join } from 'node:path';
import { DocumentLibrary } from '@a2c-smcp/documents';
import { DPEDocument, DPEPage } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { examples } from '../documents/client.ts';
import { compareWords, hasLibreOffice, LibreOffice } from '../documents/libreoffice.ts';

const sheets = ['Sales', 'Shops', 'Notes'];
const families: [example: string, others: string[], text: (office: LibreOffice, path: string) => Promise<string>][] = [
  ['sales.xlsx', ['ods', 'xls'], (office, path) => office.sheetsOf(path, sheets)],
  ['report.docx', ['odt', 'doc'], (office, path) => office.textOf(path)],
  ['slides.pptx', ['odp', 'ppt'], (office, path) => office.slidesOf(path)],
];

describe.concurrent('documents written by LibreOffice lose no words (needs soffice)', () => {
  test.runIf(hasLibreOffice).each(families)('%s', { timeout: 240_000 }, async (example, others, textOf) => {
    using office = new LibreOffice();
    const original = join(examples, example);
    const source = await textOf(office, original);
    const type = example.split('.')[1] ?? '';
    for (const other of others) {
      const [foreign = ''] = await office.convert([original], other);
      const [back = ''] = await office.convert([foreign], type);
      // LibreOffice counts lists anew on the way through doc, so the numbers are those of the result.
      const expected = other === 'doc' ? await textOf(office, back) : source;
      expect(compareWords(expected, await finderText(back)), `through ${other}`).toMatchObject({ missing: [] });
    }
    const [pdf = ''] = await office.convert([original], 'pdf');
    const { share, missing } = compareWords(source, await finderText(pdf));
    expect(share, `missing from the PDF: ${missing.join(' ')}`).toBeGreaterThanOrEqual(0.99);
  });
});

/** All words of a document, page by page, as a reader of the Finder gets them. */
async function finderText(path: string): Promise<string> {
  await using library = await DocumentLibrary.open({ host: 'documents', folders: [dirname(path)] });
  const uri = `dpe://documents/${basename(path)}`;
  const { page_count } = DPEDocument.parse(await library.read(uri));
  const texts: string[] = [];
  for (let index = 0; index < page_count; index += 1) {
    const { content_text = '' } = DPEPage.parse(await library.read(`${uri}/pages/${index}?format=text`));
    texts.push(content_text);
  }
  return texts.join('\n');
}
