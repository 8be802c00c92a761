import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { createDecoder, decodeText, detectEncoding } from './encoding.ts';
import { decodeJohab } from './johab.ts';

const chinese = '本合同自双方签字之日起生效。第一条：付款期限为三十天，逾期按日计算利息。';
const traditional = '本合約自雙方簽字之日起生效。第一條：付款期限為三十天，逾期按日計算利息。';
const japanese = 'この契約は両当事者が署名した日から有効です。支払期限は三十日とします。';
const korean = '이 계약은 양 당사자가 서명한 날부터 효력이 있습니다. 지급 기한은 삼십 일입니다.';
const russian = 'Договор вступает в силу со дня подписания. Срок оплаты тридцать дней.';

/** A syllable as the three numbers that Johab writes, or a byte of ASCII. */
function toJohab(character: string): Buffer {
  const place = character.charCodeAt(0) - 0xac00;
  if (place < 0) return Buffer.from(character, 'latin1');
  const [initial, medial, final] = [Math.floor(place / 588), Math.floor(place / 28) % 21, place % 28];
  const gaps = medial < 5 ? 3 : medial < 11 ? 5 : medial < 17 ? 7 : 9;
  const code = 0x8000 | ((initial + 2) << 10) | ((medial + gaps) << 5) | (final + (final < 17 ? 1 : 2));
  return Buffer.from([code >> 8, code & 0xff]);
}

describe('encodings', () => {
  test.each([
    ['gb18030', chinese],
    ['gbk', `姓名,城市,金额\n王芳,北京,120\n李雷,上海,95\n`],
    ['big5', traditional],
    ['shift_jis', japanese],
    ['euc-jp', japanese],
    ['euc-kr', korean],
    ['cp949', `${korean} 똠방각하 펲시콜라`],
    ['windows-1251', russian],
    ['koi8-r', russian],
    ['cp866', russian],
    ['maccyrillic', `${russian} Альберт учился в Цюрихе, где жила его семья.`],
    ['iso-8859-7', 'Ο Άνεμος και το Μήνυμα, Ή πώς ο Αριστοτέλης'],
    ['windows-1252', 'nn.n,10.5\n£nn.nn,£10.52'],
    ['windows-1250', 'Žluťoučký kůň úpěl ďábelské ódy a řízl se o ostří.'],
    ['windows-1252', 'Der Käufer zahlt für die Ware später; «façade» à côté — 5 €.'],
    ['windows-1253', 'Η σύμβαση ισχύει από την ημέρα της υπογραφής.'],
    ['windows-1254', 'Sözleşme imza tarihinden itibaren geçerlidir; ödeme süresi yirmi gündür.'],
    ['windows-1255', 'החוזה נכנס לתוקף ביום החתימה.'],
    ['windows-1256', 'يسري العقد من يوم التوقيع عليه.'],
    ['windows-1255', 'החוזה נכנס לתוקף ביום החתימה. התשלום ישולם בתוך שלושים יום. '.repeat(6)],
    ['windows-1254', `Sözleşme imza tarihinden itibaren geçerlidir; ödeme süresi yirmi gündür. `.repeat(6)],
    ['windows-874', 'สัญญานี้มีผลบังคับใช้ตั้งแต่วันที่ลงนาม'],
  ])('a text in %s is decoded without a declaration', (encoding, text) => {
    expect(decodeText(iconv.encode(text, encoding))).toBe(text);
  });

  test.each(['utf-32le', 'utf-32be'])('a text in %s is decoded, with a mark or without', encoding => {
    const text = `Name;Stadt\r\n${chinese}\r\n😀`;
    for (const addBOM of [true, false]) {
      expect(decodeText(iconv.encode(text, encoding, { addBOM }))).toBe(text.replaceAll('\r', ''));
    }
  });

  test('Korean in Johab is decoded without a declaration', () => {
    // 가 and 힣 are the first and the last syllable; signs and Chinese characters follow.
    expect(decodeJohab(Buffer.from([0x88, 0x61, 0xd3, 0xbd, 0x21, 0xd9, 0x31, 0xe0, 0x31]))).toBe('가힣!\u3000伽');
    const bytes = Buffer.concat([...korean].map(toJohab));
    expect(detectEncoding(bytes)).toBe('johab');
    expect(decodeText(bytes)).toBe(korean);
  });

  test('a title that is drawn with blocks does not hide the language of the rest', () => {
    const drawn = Buffer.from(`${String.fromCharCode(0xdb, 0x62).repeat(20)}\n`, 'latin1');
    const bytes = Buffer.concat([...Array.from({ length: 100 }, () => drawn), ...[...korean].map(toJohab)]);
    expect(detectEncoding(bytes)).toBe('johab');
  });

  test('a long beginning without line feeds does not hide the language of the rest', () => {
    const text = `${'Copyright laws are changing.\r'.repeat(300)}${japanese}\r${japanese}`;
    expect(decodeText(iconv.encode(text, 'shift_jis'))).toBe(text.replaceAll('\r', '\n'));
  });

  test.each([
    ['UTF-16 of little end without a mark', Buffer.from('Name;Stadt\r\n王芳;北京\r\n', 'utf16le')],
    ['UTF-16 of big end without a mark', Buffer.from('Name;Stadt\r\n王芳;北京\r\n', 'utf16le').swap16()],
  ])('%s is decoded', (_, bytes) => {
    expect(decodeText(bytes)).toBe('Name;Stadt\n王芳;北京\n');
  });

  test('UTF-16 of ideograms alone, without a mark and with few NULs, is decoded', () => {
    const text = '本合同一式两份，自双方签字之日起生效。\n'.repeat(3);
    const bytes = Buffer.from(text, 'utf16le');
    expect(decodeText(bytes)).toBe(text);
    expect(decodeText(Buffer.from(bytes).swap16())).toBe(text);
  });

  test.each([
    ['ISO-2022-JP', '\u001b$B$3$l\u001b(B ok', 'これ ok'],
    ['HZ', 'This: ~{<:Ky2;S{~} ok', 'This: 己所不欲 ok'],
    ['ISO-2022-KR', '\u001b$)C\u000e0-32\u000f ok', '강남 ok'],
  ])('%s is decoded', (_, bytes, text) => {
    expect(decodeText(Buffer.from(bytes, 'latin1'))).toBe(text);
  });

  test('tildes and braces of a program are no escapes', () => {
    const text = '(format t "~{~a~^, ~}" list) ~{x~}';
    expect(decodeText(Buffer.from(text))).toBe(text);
  });

  test.each([
    ['<meta charset=Shift_JIS><p>', 'shift_jis', 'ﾃｽﾄ'],
    ['<html><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-6">', 'iso-8859-6', 'عقد'],
    ['<?xml version="1.0" encoding="windows-1251"?><a>', 'windows-1251', 'Ъ'],
    ['#!/usr/bin/python\n# -*- coding: gbk -*-\n# ', 'gbk', '龘'],
  ])('the declaration %s counts', (head, encoding, text) => {
    expect(decodeText(iconv.encode(head + text, encoding))).toBe(head + text);
  });

  test('a declaration that the bytes contradict does not count', () => {
    const page = `<meta charset=gb2312><p>${chinese}`;
    expect(decodeText(Buffer.from(page))).toBe(page);
    const wrong = `<meta charset=utf-8><p>${chinese}`;
    expect(decodeText(iconv.encode(wrong, 'gbk'))).toBe(wrong);
  });

  test('text after a long beginning in ASCII decides on the encoding', () => {
    const text = `${'plain words\n'.repeat(2000)}${russian}`;
    expect(decodeText(iconv.encode(text, 'windows-1251'))).toBe(text);
  });

  test('text is decoded piece by piece, also where a character is cut', () => {
    const bytes = iconv.encode(chinese, 'gb18030');
    const decode = createDecoder(detectEncoding(bytes));
    const parts = [...bytes].map(byte => decode(Uint8Array.of(byte), { stream: true }));
    expect(parts.join('') + decode(new Uint8Array())).toBe(chinese);
  });
});
