// Makes the example documents anew: node examples/documents/make/all.mjs
import { writeFile } from 'node:fs/promises';
import { pdf } from './pdf.mjs';
import { report } from './report.mjs';
import { slides } from './slides.mjs';
import { workbook } from './workbook.mjs';

const documents = { 'sales.xlsx': workbook, 'report.docx': report, 'slides.pptx': slides, 'invoice.pdf': pdf };
for (const [name, make] of Object.entries(documents)) {
  await writeFile(new URL(`../files/${name}`, import.meta.url), await make());
}
