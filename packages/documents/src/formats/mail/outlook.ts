import type { Element } from '@a2c-smcp/publish/content';
import { addressParser } from 'postal-mime';
import { UnreadableError } from '../../file.ts';
import type { CompoundFile } from '../compound/compound-file.ts';
import { readCompound } from '../compound/read.ts';
import { parseHtml } from '../html/read.ts';
import type { OpenReader } from '../reader.ts';
import { readRtf } from '../rtf/reader.ts';
import { decodeText } from '../text/encoding.ts';
import { unpackRtf } from './compressed-rtf.ts';
import { contact, type Mail, mailDocument, plainBody } from './message.ts';
import { Properties, Property } from './properties.ts';

const MAIL_HEADER_BYTES = 32;
const PART_HEADER_BYTES = 8;
/** Recipients and attachments that are shown. */
const MAX_PARTS = 500;
/** Characters of the field that names the sender. */
const MAX_SENDER_LENGTH = 1000;
const TO = 1;
const CC = 2;

/** msg: a mail of Outlook. */
export const openOutlookMail: OpenReader = async file => mailDocument(readMsg(await readCompound(file)), file.name);

/** Reads a mail of Outlook. */
export function readMsg(file: CompoundFile): Mail {
  if (file.stream('__properties_version1.0') === undefined)
    throw new UnreadableError('The file is damaged: it is not a mail of Outlook');
  const mail = new Properties(file, [], { header: MAIL_HEADER_BYTES });
  const parts = (prefix: string) =>
    file
      .names()
      .filter(name => name.toLowerCase().startsWith(prefix))
      .toSorted()
      .slice(0, MAX_PARTS)
      .map(name => new Properties(file, [name], { header: PART_HEADER_BYTES, codePage: mail.codePage }));
  const recipients = parts('__recip_version1.0_').map(part => ({
    kind: part.number(Property.recipientKind) ?? TO,
    contact: contact(part.text(Property.name), mailAddress(part, [Property.smtp, Property.address])),
  }));
  const named = (kind: number) =>
    recipients
      .filter(recipient => recipient.kind === kind)
      .map(recipient => recipient.contact)
      .join(', ');
  return {
    subject: mail.text(Property.subject),
    from: contact(mail.text(Property.sender), senderAddress(mail)),
    to: named(TO) || mail.text(Property.to),
    cc: named(CC) || mail.text(Property.cc),
    date: mail.time(Property.submitted) || mail.time(Property.delivered),
    body: bodyOf(mail),
    attachments: parts('__attach_version1.0_').map(part => ({
      name: part.text(Property.longFileName) || part.text(Property.fileName) || part.text(Property.name) || 'unnamed',
      type: part.text(Property.mimeType),
    })),
  };
}

/** The first of some properties that is an address outside of Exchange, too. */
function mailAddress(part: Properties, ids: readonly number[]): string {
  return ids.map(id => part.text(id)).find(text => text.includes('@')) ?? '';
}

/** The address of the sender, who may send for another. Those inside of Exchange have theirs in different places. */
function senderAddress(mail: Properties): string {
  const represented = mail.text(Property.represented);
  const isSelf = represented === '' || represented === mail.text(Property.sender);
  const ids = [Property.senderSmtp, Property.senderAddress, ...(isSelf ? [Property.representedSmtp] : [])];
  const known = mailAddress(mail, ids);
  if (known !== '') return known;
  const field = isSelf ? /^from:(.*(?:\r?\n[ \t].*)*)/im : /^sender:(.*(?:\r?\n[ \t].*)*)/im;
  const value = field.exec(mail.text(Property.transportFields))?.[1] ?? '';
  const address = addressParser(value.slice(0, MAX_SENDER_LENGTH).replace(/[\r\n]+/g, ''))[0]?.address ?? '';
  return address.includes('@') ? address : '';
}

/** The plain text, or else the html, or else the rtf. */
function bodyOf(mail: Properties): Element[] {
  const plain = plainBody(mail.text(Property.body));
  if (plain.length > 0) return plain;
  const bytes = mail.bytes(Property.html);
  const html = bytes === undefined ? mail.text(Property.html) : decodeText(bytes);
  if (html !== '') return parseHtml(html).elements;
  const rtf = mail.bytes(Property.rtf);
  return rtf === undefined ? [] : readRtf(unpackRtf(rtf)).elements;
}
