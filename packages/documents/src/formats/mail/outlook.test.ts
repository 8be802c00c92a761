import { CFB } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { CompoundFile } from '../compound/compound-file.ts';
import { readMsg } from './outlook.ts';

/** The sender of a mail whose address is one of Exchange, unless `texts` have another. */
function senderOf(texts: Record<string, string>): string {
  const file = CFB.utils.cfb_new();
  CFB.utils.cfb_add(file, '/__properties_version1.0', Buffer.alloc(32));
  for (const [id, text] of Object.entries({ '0C1A': 'Ada Beck', '0C1F': '/O=BEANS/CN=ADA', ...texts }))
    CFB.utils.cfb_add(file, `/__substg1.0_${id}001F`, Buffer.from(text, 'utf16le'));
  return readMsg(new CompoundFile(Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array))).from;
}

test('the address of a sender of Exchange is that of the fields with which the mail was sent', () => {
  const fields =
    'Received: from a\r\n by b\r\nFROM:\r\n "Beck, Ada"\r\n <ada@example.com>\r\nTo: Bob <bob@example.com>\r\n';
  expect(senderOf({ '007D': fields })).toBe('Ada Beck <ada@example.com>');
  expect(senderOf({ '007D': 'To: Bob <bob@example.com>' })).toBe('Ada Beck');
  expect(senderOf({ '007D': 'From: Ada' })).toBe('Ada Beck');
});

test('the address of a sender of Exchange may be among the properties of a mail', () => {
  expect(senderOf({ '5D01': 'ada@example.com' })).toBe('Ada Beck <ada@example.com>');
  expect(senderOf({ '0042': 'Ada Beck', '5D02': 'ada@example.com' })).toBe('Ada Beck <ada@example.com>');
});

test('a sender of Outlook who writes for another does not get the address of the other', () => {
  const fields = 'From: Bob <bob@example.com>\r\nSender: Ada <ada@example.com>\r\n';
  expect(senderOf({ '0042': 'Bob', '5D02': 'bob@example.com' })).toBe('Ada Beck');
  expect(senderOf({ '0042': 'Bob', '5D02': 'bob@example.com', '007D': fields })).toBe('Ada Beck <ada@example.com>');
});
