import { FileSource, type FileVersion, UnreadableError } from '../../file.ts';
import { COMPOUND_SIGNATURE } from '../compound/compound-file.ts';
import { readCompound } from '../compound/read.ts';
import { readSummary } from '../compound/summary.ts';
import { flowDocument } from '../flow.ts';
import type { OpenReader } from '../reader.ts';
import { openPlainText } from '../text/read.ts';
import { WORD2_SIGNATURE } from './fib.ts';
import { readDoc } from './reader.ts';

const HEAD_BYTES = 512;
const MAX_WORD2_BYTES = 64 * 1024 * 1024;

/** doc: pages begin at headings, as in docx. Many programs write rtf, docx, XML, html or plain text under this name. */
export const openDoc: OpenReader = async file => {
  const head = await readHead(file);
  if (head.length >= 4 && head.readUInt32BE(0) === COMPOUND_SIGNATURE) {
    const compound = await readCompound(file);
    return flowDocument(readDoc(compound), readSummary(compound), file.name);
  }
  const open = await otherReader(head);
  return open(file);
};

async function readHead(file: FileVersion): Promise<Buffer> {
  await using source = await FileSource.open(file);
  return await source.read(0, HEAD_BYTES);
}

async function otherReader(head: Buffer): Promise<OpenReader> {
  if (head.length >= 2 && head.readUInt16LE(0) === WORD2_SIGNATURE) return openWord2;
  const text = head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
  if (/^\s*\{\s*\\rtf/.test(text)) return (await import('../rtf/read.ts')).openRtf;
  if (text.startsWith('PK')) return (await import('../docx/read.ts')).openDocx;
  if (/<\w+:wordDocument\s/.test(text)) return (await import('../docx/word-xml.ts')).openWordXml;
  if (/^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body)/i.test(text))
    return (await import('../html/read.ts')).openHtml;
  if (text.startsWith('\u00ffWPC'))
    throw new UnreadableError('The file is a document of WordPerfect, which is not read; save it as docx');
  if (/[\0<]/.test(text.slice(0, 64)))
    throw new UnreadableError('The file is damaged, or of another program than Word; save it as docx');
  return source => openPlainText(source);
}

/** Word 2 writes no container: the file is the stream that later versions put into one. */
const openWord2: OpenReader = async file => {
  if (file.size > MAX_WORD2_BYTES) throw new UnreadableError('The file is too large to be read');
  await using source = await FileSource.open(file);
  const bytes = await source.read(0, file.size);
  const elements = readDoc({ stream: name => (name === 'WordDocument' ? bytes : undefined) });
  return flowDocument(elements, {}, file.name);
};
