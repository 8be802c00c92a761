import iconv from 'iconv-lite';
import { decodeJohab } from './johab.ts';

/** Bytes of which the encoding is found; more make the answer no better. */
const SAMPLE_BYTES = 4 * 1024;

/** Bytes in which lines are looked for. */
const MAX_ORNAMENT_BYTES = 32 * 1024;

type Kind = 'latin' | 'letters' | 'han' | 'kana' | 'hangul';

/** The frequent letters of a language. Those before a bar are worth twice those after it. */
const cyrillic = ['оеаинтсрвлкі|мдпуяыьгзбчйїєј'];
const greek = ['αοιετσνηυρπκ|μλςίόάέωήύδγ'];
const arabic = ['اليمنرتوبسعد|فهكحقجةشطصخأ'];
const western = ['äöüßÄÖÜ', 'éèàçêâôîûëïœÉ', 'áéíóúñü¿¡', 'áéíóúãõçâêôà', 'àèéìòù', 'åæøäöéÅÆØ'];
const central = ['ąćęłńóśźżŚŁ', 'áčďéěíňřšťúůýžČŠŽŘ', 'áéíóöőúüű', 'ăâîşţ', 'čšžćđČŠŽ'];

/** Encodings that programs still write, each with languages; the likelier first of those that fit equally. */
const candidates: [encoding: string, kind: Kind, languages: string[]][] = [
  ['windows-1252', 'latin', western],
  ['windows-1250', 'latin', central],
  ['iso-8859-2', 'latin', central],
  ['windows-1254', 'latin', ['ğışçöüİŞâ']],
  ['windows-1257', 'latin', ['ąčęėįšųūžāēīķļņģŠŽ']],
  ['windows-1251', 'letters', cyrillic],
  ['koi8-u', 'letters', cyrillic],
  ['ibm866', 'letters', cyrillic],
  ['iso-8859-5', 'letters', cyrillic],
  ['maccyrillic', 'letters', cyrillic],
  ['windows-1253', 'letters', greek],
  ['iso-8859-7', 'letters', greek],
  ['windows-1255', 'letters', ['יוהלאמרתבשנ|עדםחקפטגצןכ']],
  ['windows-1256', 'letters', arabic],
  ['iso-8859-6', 'letters', arabic],
  ['windows-874', 'letters', ['านรกอเงมยวล่้ีัิ|ดสทตคบปหแจพชขใไโุู์']],
  ['gb18030', 'han', [simplified()]],
  ['big5hkscs', 'han', [traditional()]],
  ['shift_jis', 'kana', [kanji()]],
  ['euc-jp', 'kana', [kanji()]],
  ['cp949', 'hangul', [hangul()]],
  ['johab', 'hangul', [hangul()]],
];

/** The encoding in which bytes that are not UTF-8 read most like a language. */
export function guessEncoding(bytes: Uint8Array): string {
  const sample = sampleOf(bytes);
  const scores = candidates.map(([encoding]) => likelihood(sample, encoding));
  return candidates[scores.indexOf(Math.max(...scores))]?.[0] ?? 'windows-1252';
}

/** How much bytes in an encoding read like one of its languages; 1 at most. */
export function likelihood(bytes: Uint8Array, encoding: string): number {
  const [, kind, languages] = candidates.find(([name]) => name === encoding) ?? [];
  if (kind === undefined || languages === undefined) return 0;
  const text = encoding === 'johab' ? decodeJohab(bytes) : iconv.decode(Buffer.from(bytes), encoding);
  return Math.max(...languages.map(language => scoreOf(text, kind, weightsOf(language))));
}

/** The bytes that end lines, on a Macintosh of old the second alone. */
const lineEnds = [0x0a, 0x0d];

/** Whole lines from the first byte on that is not ASCII, without ornaments. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex(byte => byte >= 0x80);
  const line = Math.max(...lineEnds.map(end => bytes.subarray(0, first).lastIndexOf(end))) + 1;
  const begin = first - line < SAMPLE_BYTES / 2 ? line : first;
  const lines = wordyLines(bytes.subarray(begin, begin + MAX_ORNAMENT_BYTES));
  const sample = lines.length > 0 ? lines.subarray(0, SAMPLE_BYTES) : bytes.subarray(begin, begin + SAMPLE_BYTES);
  const end = Math.max(...lineEnds.map(byte => sample.lastIndexOf(byte)));
  return end > sample.findIndex(byte => byte >= 0x80) ? sample.subarray(0, end) : sample;
}

/** The lines that are not drawn with blocks, as titles were: they say nothing about the language. */
function wordyLines(bytes: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  let size = 0;
  for (let at = 0; at < bytes.length && size < SAMPLE_BYTES; ) {
    const ends = lineEnds.map(end => bytes.indexOf(end, at)).filter(end => end >= 0);
    const end = ends.length === 0 ? bytes.length : Math.min(...ends) + 1;
    const line = bytes.subarray(at, end);
    at = end;
    if (isOrnament(line)) continue;
    lines.push(line);
    size += line.length;
  }
  return Buffer.concat(lines);
}

/** True if most bytes beyond ASCII repeat the character before, of one byte or two. */
function isOrnament(line: Uint8Array): boolean {
  let [count, repeated] = [0, 0];
  for (const [at, byte] of line.entries()) {
    if (byte < 0x80) continue;
    count += 1;
    if (byte === line[at - 1] || byte === line[at - 2]) repeated += 1;
  }
  return repeated > count / 2;
}

const weights = new Map<string, ReadonlyMap<string, number>>();

function weightsOf(language: string): ReadonlyMap<string, number> {
  const [most = '', rest = ''] = language.split('|');
  const known = weights.get(language) ?? new Map([...pairs(rest, 0.5), ...pairs(most, 1)]);
  weights.set(language, known);
  return known;
}

function pairs(letters: string, weight: number): [string, number][] {
  return [...letters].map(letter => [letter, weight]);
}

/** How much a text is like one of the language: the mean over all characters but those of ASCII, at most 1. */
function scoreOf(text: string, kind: Kind, frequent: ReadonlyMap<string, number>): number {
  let [sum, count] = [0, 0];
  for (const { 0: letter, index } of text.matchAll(foreign)) {
    const [before, after] = [text[index - 1] ?? '', text[index + letter.length] ?? ''];
    const misplaced = letter === '\ufffd' ? -2 : misplacement(letter, { before, after, kind });
    sum += misplaced ?? frequent.get(letter) ?? weightOf(letter, kind);
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}

const foreign = /[^\0-\x7f]/gu;
const asciiLetter = /[a-z]/i;
const lower = /\p{Ll}/u;
const upper = /\p{Lu}/u;
const letters = /\p{L}/u;

/** The weight of a letter that stands where none of the language would: inside a foreign word, or a capital in a word. */
function misplacement(
  letter: string,
  { before, after, kind }: { before: string; after: string; kind: Kind },
): number | undefined {
  if (kind !== 'latin' && kind !== 'letters') {
    return asciiLetter.test(before) && asciiLetter.test(after) ? -0.5 : undefined;
  }
  if (!letters.test(letter)) return undefined;
  if (lower.test(before) && upper.test(letter)) return -0.5;
  // `£10` in another encoding is `Ł10`.
  if (kind === 'latin' && /\d/.test(after)) return -0.5;
  if (kind === 'latin') return before >= '\u0080' && letters.test(before) ? 0 : undefined;
  return asciiLetter.test(before) ? -0.5 : undefined;
}

/** The weight of a character that is not among the frequent ones. */
function weightOf(letter: string, kind: Kind): number {
  if (/[’‘“”„–—…«»°€£§№\u00a0]/.test(letter)) return 0.5;
  if (kind === 'latin') return /\p{Script=Latin}/u.test(letter) ? 0.4 : -0.5;
  if (kind === 'letters') return letters.test(letter) ? 0.1 : -0.5;
  if (/[、。，！？：；（）「」『』《》【】％～・]/.test(letter)) return 0.7;
  if (/[\u3041-\u30fe]/.test(letter)) return kind === 'kana' ? 0.9 : -0.2;
  if (/[\uff66-\uff9d]/.test(letter)) return kind === 'kana' ? 0.1 : -0.5;
  if (/[\uac00-\ud7a3]/.test(letter)) return kind === 'hangul' ? 0.4 : -0.5;
  if (/[\uff01-\uff5e]/.test(letter)) return 0.3;
  if (/[\u4e00-\u9fff]/.test(letter)) return kind === 'hangul' ? 0.05 : 0.25;
  return -0.5;
}

function simplified(): string {
  return (
    '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学' +
    '如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将' +
    '两高间由问很最重并物手应向头文体政美相见被利什二等产或新己制身果加西月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员' +
    '解水名真论处走义各入几口认条平系气题活更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指许统区保至'
  );
}

function traditional(): string {
  return (
    '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學' +
    '如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將' +
    '兩高間由問很最重並物手應向頭文體政美相見被利什二等產或新己制身果加西月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員' +
    '解水名真論處走義各入幾口認條平系氣題活更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指許統區保至檔案'
  );
}

function kanji(): string {
  return (
    '日一人大年中国会出本上生時行見事自者前分気間下今手方場合地社業部動同対定表性用発新高体物理学言子月二十三回後入目力的小内明作市民立' +
    '問通要法度意関全数名文使指定設示先書開始終了込必替返引取読変更'
  );
}

function hangul(): string {
  return (
    '이다는에의을를가고하은로지기사한어나아서도인대시리자일해수있그들라여정스보부비제전주상과것으장만위안조국원성할용경트동구무연실적없된' +
    '면되음신화모니세내습합계까저미문선공개행우유마소방치양거생분업중교명물간발결체각드오게심말학데러당표예식외입출파재현산받약력관단'
  );
}
