import { type Element, heading, list, paragraph, table } from '@a2c-smcp/publish/content';
import { flowDocument } from '../flow.ts';
import type { OpenDocument } from '../reader.ts';

/** A mail, whatever program wrote it. */
export interface Mail {
  subject: string;
  from: string;
  to: string;
  cc: string;
  /** As ISO 8601; empty if it is not known. */
  date: string;
  body: Element[];
  attachments: { name: string; type: string }[];
}

/** The fields of a mail, its text, and the names of what is attached. */
export function mailDocument(mail: Mail, name: string): OpenDocument {
  const { subject, from, to, cc, date, body, attachments } = mail;
  const fields = [
    ['From', from],
    ['To', to],
    ['Cc', cc],
    ['Date', date],
  ].filter(([, value]) => value !== '');
  const elements: Element[] = [
    ...(subject === '' ? [] : [heading(1, subject)]),
    ...(fields.length === 0 ? [] : [table(['Field', 'Value'], fields)]),
    ...body,
  ];
  if (attachments.length > 0) {
    const items = attachments.map(file => ({ text: `${file.name}${file.type && ` (${file.type})`}`, level: 0 }));
    elements.push(heading(2, 'Attachments'), list(false, items));
  }
  const summary = [from, date.slice(0, 10)].filter(Boolean).join(', ');
  return flowDocument(elements, { ...(subject && { title: subject }), ...(summary && { summary }) }, name);
}

/** Plain text as paragraphs; empty if there is none. */
export function plainBody(text: string): Element[] {
  const plain = text.replaceAll('\r\n', '\n').trim();
  return plain === '' ? [] : plain.split(/\n[ \t]*\n+/).map(part => paragraph(part.trimEnd()));
}

/** A name and an address, as in `Ada <ada@example.com>`. */
export function contact(name: string, address: string): string {
  return name === '' || name === address ? address : `${name}${address && ` <${address}>`}`;
}
