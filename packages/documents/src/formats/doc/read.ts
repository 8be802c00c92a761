import { FileSource } from '../../file.ts';
import { COMPOUND_SIGNATURE } from '../compound/compound-file.ts';
import { readCompound } from '../compound/read.ts';
import { readSummary } from '../compound/summary.ts';
import { flowDocument } from '../flow.ts';
import type { OpenReader } from '../reader.ts';
import { openPlainText } from '../text/read.ts';
import { readDoc } from './reader.ts';

const HEAD_BYTES = 64;

/** doc: pages begin at headings, as in docx. Many programs write rtf, docx, html or plain text under this name. */
export const openDoc: OpenReader = async file => {
  const open = await otherReader(await readHead(file));
  if (open !== undefined) return open(file);
  const compound = await readCompound(file);
  return flowDocument(readDoc(compound), readSummary(compound), file.name);
};

async function readHead(file: Parameters<OpenReader>[0]): Promise<Buffer> {
  await using source = await FileSource.open(file);
  return await source.read(0, HEAD_BYTES);
}

async function otherReader(head: Buffer): Promise<OpenReader | undefined> {
  if (head.length >= 4 && head.readUInt32BE(0) === COMPOUND_SIGNATURE) return undefined;
  const text = head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
  if (/^\s*\{\s*\\rtf/.test(text)) return (await import('../rtf/read.ts')).openRtf;
  if (text.startsWith('PK')) return (await import('../docx/read.ts')).openDocx;
  if (/^\s*<(?:!doctype html|html|head|body)/i.test(text)) return (await import('../html/read.ts')).openHtml;
  return /[\0<]/.test(text) ? undefined : source => openPlainText(source);
}
