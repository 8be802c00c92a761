import type { Element } from '@a2c-smcp/publish/content';
import PostalMime, { type Address } from 'postal-mime';
import { FileSource, UnreadableError } from '../../file.ts';
import { parseHtml } from '../html/read.ts';
import type { OpenReader } from '../reader.ts';
import { contact, mailDocument, plainBody } from './message.ts';

const MAX_MAIL_BYTES = 32 * 1024 * 1024;
const MAX_NESTING = 20;

/** eml: a mail as it is sent. */
export const openMail: OpenReader = async file => {
  if (file.size > MAX_MAIL_BYTES) throw new UnreadableError('The mail is too large to be read');
  await using source = await FileSource.open(file);
  const bytes = await source.read(0, file.size);
  const mail = await PostalMime.parse(narrow(bytes), { maxNestingDepth: MAX_NESTING }).catch(cause => {
    const isDeep = cause instanceof Error && /nesting/i.test(cause.message);
    const reason = isDeep ? 'The mail nests its parts too deeply' : 'The file is damaged: it is not a mail';
    throw new UnreadableError(reason, { cause });
  });
  return mailDocument(
    {
      subject: mail.subject ?? '',
      from: names(mail.from === undefined ? [] : [mail.from]),
      to: names(mail.to),
      cc: names(mail.cc),
      date: mail.date ?? '',
      body: bodyOf(mail.text, mail.html),
      attachments: mail.attachments.map(({ filename, mimeType }) => ({ name: filename ?? 'unnamed', type: mimeType })),
    },
    file.name,
  );
};

/** A mail is bytes of ASCII; programs that save one as UTF-16 begin it with a mark. */
function narrow(bytes: Buffer): Buffer {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE();
  if (mark !== 0xfffe && mark !== 0xfeff) return bytes;
  return Buffer.from(new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(bytes));
}

function names(addresses: readonly Address[] = []): string {
  return addresses.map(({ name, address }) => contact(name ?? '', address ?? '')).join(', ');
}

/** The plain text where there is one, since it was meant for readers without a browser. */
function bodyOf(text: string | undefined, html: string | undefined): Element[] {
  const plain = plainBody(text ?? '');
  return plain.length > 0 || html === undefined ? plain : parseHtml(html).elements;
}
