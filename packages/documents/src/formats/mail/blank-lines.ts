const LINE_FEED = 0x0a;
const HYPHEN = 0x2d;
const emptyLine = Buffer.from('\r\n');

/** A line of fields: one of them, or the rest of a folded one. A mark of UTF-8 may precede the first. */
const fieldLine = /^(?:\xef\xbb\xbf)?(?:([!-9;-~]+)[ \t]*:|[ \t])/;
/** The line before a mail in a mailbox. */
const mailboxLine = /^>?From /;
const boundary = /boundary\s*=\s*(?:"([^"]*)"|([^\s;]+))/i;
const mailType = /^content-type[ \t]*:\s*message\/rfc822/i;
/** Fields that a mail or a part has once. While they are missing, a line that is no field may be a damaged one. */
const mailFields = /^(?:from|to|cc|subject|date|message-id|mime-version|content-[a-z-]+)$/;
const partFields = /^content-[a-z-]+$/;

/** Inserts the empty line after the fields of a mail or of a part where it is missing; the parser needs it. */
export function withBlankLines(mail: Buffer): Buffer {
  const boundaries = new Set<string>();
  const pieces: Buffer[] = [];
  let copied = 0;
  const insert = (at: number) => {
    pieces.push(mail.subarray(copied, at), emptyLine);
    copied = at;
  };
  let fields: Fields | undefined = new Fields(mailFields, boundaries);
  for (let start = 0, end = 0; start < mail.length; start = end) {
    const feed = mail.indexOf(LINE_FEED, start);
    end = feed < 0 ? mail.length : feed + 1;
    const isMarked = mail[start] === HYPHEN && mail[start + 1] === HYPHEN;
    if (fields === undefined && !isMarked) continue;
    const line = mail.toString('latin1', start, end).trimEnd();
    const isEnd = isMarked && line.endsWith('--') && boundaries.has(line.slice(2, -2));
    if (isEnd || (isMarked && boundaries.has(line.slice(2)))) {
      if (fields !== undefined) insert(fields.bodyStart ?? start);
      fields = isEnd ? undefined : new Fields(partFields, boundaries);
    } else if (fields !== undefined && isEmpty(mail, start, end)) {
      if (fields.bodyStart !== undefined) insert(fields.bodyStart);
      const holdsMail: boolean = fields.holdsMail && fields.bodyStart === undefined;
      fields = holdsMail ? new Fields(mailFields, boundaries) : undefined;
    } else fields?.add(line, start);
  }
  if (fields?.bodyStart !== undefined) insert(fields.bodyStart);
  return pieces.length === 0 ? mail : Buffer.concat([...pieces, mail.subarray(copied)]);
}

/** The fields of a mail or of a part, line by line. */
class Fields {
  /** The first line that is no field, unless one that only fields have follows it. */
  bodyStart: number | undefined;
  holdsMail = false;
  readonly #once: RegExp;
  readonly #boundaries: Set<string>;
  readonly #seen = new Set<string>();
  #name = '';
  #previous = '';

  /** @param boundaries takes those that the fields declare */
  constructor(once: RegExp, boundaries: Set<string>) {
    this.#once = once;
    this.#boundaries = boundaries;
  }

  add(line: string, start: number): void {
    const match = fieldLine.exec(line);
    const name = match?.[1]?.toLowerCase();
    if (name !== undefined && this.#once.test(name) && !this.#seen.has(name)) {
      this.#seen.add(name);
      this.bodyStart = undefined;
    }
    if (this.bodyStart !== undefined) return;
    if (match === null) {
      if (this.#name !== '' || !mailboxLine.test(line)) this.bodyStart = start;
      return;
    }
    if (name !== undefined) this.#previous = '';
    this.#name = name ?? this.#name;
    if (this.#name === 'content-type') this.#contentType(line);
  }

  /** The line before is looked at again, since a value may be folded behind its name. */
  #contentType(line: string): void {
    const both = this.#previous + line;
    this.#previous = line;
    this.holdsMail ||= mailType.test(both);
    const [, quoted, plain] = boundary.exec(both) ?? [];
    const value = quoted ?? plain ?? '';
    if (value !== '') this.#boundaries.add(value);
  }
}

function isEmpty(mail: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (mail[at] !== LINE_FEED && mail[at] !== 0x0d) return false;
  return true;
}
