import { type Element, heading, list, paragraph, table } from '@a2c-smcp/publish/content';
import PostalMime, { type Address } from 'postal-mime';
import { FileSource, UnreadableError } from '../../file.ts';
import { flowDocument } from '../flow.ts';
import { parseHtml } from '../html/read.ts';
import type { OpenReader } from '../reader.ts';

const MAX_MAIL_BYTES = 32 * 1024 * 1024;
const MAX_NESTING = 20;

/** eml: the fields of a mail, its text, and the names of what is attached. */
export const openMail: OpenReader = async file => {
  if (file.size > MAX_MAIL_BYTES) throw new UnreadableError('The mail is too large to be read');
  await using source = await FileSource.open(file);
  const bytes = await source.read(0, file.size);
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: MAX_NESTING }).catch(cause => {
    const isDeep = cause instanceof Error && /nesting/i.test(cause.message);
    throw new UnreadableError(
      isDeep ? 'The mail nests its parts too deeply' : 'The file is damaged: it is not a mail',
      {
        cause,
      },
    );
  });
  const fields: [string, string][] = [
    ['From', names(mail.from === undefined ? [] : [mail.from])],
    ['To', names(mail.to)],
    ['Cc', names(mail.cc)],
    ['Date', mail.date ?? ''],
  ];
  const elements: Element[] = [
    ...(mail.subject ? [heading(1, mail.subject)] : []),
    table(
      ['Field', 'Value'],
      fields.filter(([, value]) => value !== '').map(field => [...field]),
    ),
    ...bodyOf(mail.text, mail.html),
  ];
  if (mail.attachments.length > 0) {
    elements.push(heading(2, 'Attachments'));
    elements.push(
      list(
        false,
        mail.attachments.map(({ filename, mimeType }) => ({
          text: `${filename ?? 'unnamed'} (${mimeType})`,
          level: 0,
        })),
      ),
    );
  }
  const summary = [names(mail.from === undefined ? [] : [mail.from]), mail.date?.slice(0, 10)]
    .filter(Boolean)
    .join(', ');
  return flowDocument(
    elements,
    { ...(mail.subject && { title: mail.subject }), ...(summary && { summary }) },
    file.name,
  );
};

function names(addresses: readonly Address[] = []): string {
  return addresses.map(({ name, address }) => (name ? `${name} <${address ?? ''}>` : (address ?? ''))).join(', ');
}

/** The plain text where there is one, since it was meant for readers without a browser. */
function bodyOf(text: string | undefined, html: string | undefined): Element[] {
  const plain = text?.replaceAll('\r\n', '\n').trim() ?? '';
  if (plain === '') return html === undefined ? [] : parseHtml(html).elements;
  return plain.split(/\n[ \t]*\n+/).map(part => paragraph(part.trimEnd()));
}
