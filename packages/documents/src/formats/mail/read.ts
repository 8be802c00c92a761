import type { Element } from '@a2c-smcp/publish/content';
import PostalMime, { type Address, type Email } from 'postal-mime';
import { FileSource, UnreadableError } from '../../file.ts';
import { parseHtml } from '../html/read.ts';
import type { OpenReader } from '../reader.ts';
import { bodyDecoder, readableMail } from './encodings.ts';
import { contact, mailDocument, plainBody } from './message.ts';

const MAX_MAIL_BYTES = 32 * 1024 * 1024;
/** Each line of a mail is compared with the boundaries of all parts around it, so that only small mails may nest deeply. */
const SMALL_MAIL_BYTES = 1024 * 1024;
const MAX_NESTING = 20;
const MAX_SMALL_NESTING = 128;

/** eml: a mail as it is sent. */
export const openMail: OpenReader = async file => {
  if (file.size > MAX_MAIL_BYTES) throw new UnreadableError('The mail is too large to be read');
  await using source = await FileSource.open(file);
  const bytes = readableMail(await source.read(0, file.size));
  const maxNestingDepth = bytes.length > SMALL_MAIL_BYTES ? MAX_NESTING : MAX_SMALL_NESTING;
  const mail = await PostalMime.parse(bytes, { maxNestingDepth }).catch(cause => {
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
      body: bodyOf(mail, bodyDecoder(bytes)),
      attachments: mail.attachments.map(({ filename, mimeType }) => ({ name: filename ?? 'unnamed', type: mimeType })),
    },
    file.name,
  );
};

function names(addresses: readonly Address[] = []): string {
  return addresses.map(({ name, address }) => contact(name ?? '', address ?? '')).join(', ');
}

/** The plain text where there is one, since it was meant for readers without a browser. */
function bodyOf({ text = '', html }: Email, decode: (text: string) => string): Element[] {
  const plain = plainBody(decode(text));
  return plain.length > 0 || html === undefined ? plain : parseHtml(decode(html)).elements;
}
