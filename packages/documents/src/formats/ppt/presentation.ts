import { UnreadableError } from '../../file.ts';
import type { CompoundFile } from '../compound/compound-file.ts';
import { commonEdges, edgeTexts, firstNumber } from './edges.ts';
import { findRecord, type PptRecord, RecordType, recordAt, records } from './records.ts';
import { type PptText, readTexts } from './text.ts';

const ENCRYPTED = 0xf3d1c4df;
/** An edit of an encrypted file has a field more. */
const EDIT_BYTES = 32;
const DUAL_STORAGE = 'PP97_DUALSTORAGE';
const MAX_EDITS = 1000;
const MAX_SLIDES = 10_000;

/** Lists of slides by their instances. */
const SLIDES = 0;
const NOTES = 2;

/** A slide: its record, and the texts that it refers to by their numbers. */
export interface PptSlide {
  record: PptRecord;
  outline: PptText[];
  notes: PptRecord | undefined;
  /** As the presentation counts it. */
  number: number;
  /** Texts at its edges. */
  edges: string[];
}

interface ListedSlide {
  persist: number;
  id: number;
  outline: PptText[];
}

/** The slides of a presentation, found by its last edit. */
export class Presentation {
  readonly #stream: Buffer;
  readonly #offsets = new Map<number, number>();
  readonly document: Buffer;

  constructor(file: CompoundFile) {
    // Files for PowerPoint 95 and 97 at once have a storage for the latter.
    const storage = file.names().includes(DUAL_STORAGE) ? [DUAL_STORAGE] : [];
    const stream = file.stream(...storage, 'PowerPoint Document');
    const user = file.stream(...storage, 'Current User');
    if (stream === undefined || user === undefined || user.length < 20)
      throw new UnreadableError('The file is damaged, or older than PowerPoint 97; save it as pptx');
    if (user.readUInt32LE(12) === ENCRYPTED) throw new UnreadableError('The file is protected by a password');
    this.#stream = stream;
    const document = this.#readEdits(user.readUInt32LE(16));
    this.document = this.#record(document)?.body ?? Buffer.alloc(0);
  }

  slides(): PptSlide[] {
    const notes = new Map(this.#list(NOTES).map(({ id, persist }) => [id, persist]));
    const common = commonEdges(this.document);
    const first = firstNumber(this.document);
    return this.#list(SLIDES).flatMap(({ persist, outline }, index) => {
      const record = this.#record(persist);
      if (record?.type !== RecordType.slide) return [];
      const atom = findRecord(record.body, RecordType.slideAtom)?.body;
      const id = atom === undefined || atom.length < 20 ? 0 : atom.readUInt32LE(16);
      const noted = id === 0 ? undefined : this.#record(notes.get(id));
      const number = first + index;
      const edges = edgeTexts(findRecord(record.body, RecordType.headersFooters) ?? common, number);
      return [{ record, outline, notes: noted?.type === RecordType.notes ? noted : undefined, number, edges }];
    });
  }

  /** Finds where objects are, the newest edit first, and returns the number of the document's. */
  #readEdits(from: number): number | undefined {
    let document: number | undefined;
    let at = from;
    for (let count = 0; count < MAX_EDITS && at > 0 && at + 28 <= this.#stream.length; count += 1) {
      const { type, body } = recordAt(this.#stream, at);
      if (type !== RecordType.userEdit || body.length < 20) break;
      if (body.length >= EDIT_BYTES) throw new UnreadableError('The file is protected by a password');
      document ??= body.readUInt32LE(16);
      this.#readDirectory(body.readUInt32LE(12));
      at = body.readUInt32LE(8);
    }
    return document;
  }

  #readDirectory(at: number): void {
    if (at + 8 > this.#stream.length) return;
    const { type, body } = recordAt(this.#stream, at);
    if (type !== RecordType.persistDirectory) return;
    for (let entry = 0; entry + 4 <= body.length; ) {
      const head = body.readUInt32LE(entry);
      const [first, count] = [head & 0xfffff, head >>> 20];
      entry += 4;
      for (let index = 0; index < count && entry + 4 <= body.length; index += 1, entry += 4) {
        if (!this.#offsets.has(first + index)) this.#offsets.set(first + index, body.readUInt32LE(entry));
      }
    }
  }

  #record(persist: number | undefined): PptRecord | undefined {
    const at = persist === undefined ? undefined : this.#offsets.get(persist);
    return at === undefined || at + 8 > this.#stream.length ? undefined : recordAt(this.#stream, at);
  }

  /** Slides in their order, each with the texts behind its entry. */
  #list(instance: number): ListedSlide[] {
    const slides: ListedSlide[] = [];
    const lists = [...records(this.document)].filter(({ type }) => type === RecordType.slideList);
    const list = lists.find(record => record.instance === instance)?.body ?? Buffer.alloc(0);
    let [at, from] = [0, 0];
    const end = () => {
      const last = slides.at(-1);
      if (last !== undefined) last.outline = readTexts(list.subarray(from, at));
    };
    for (const { type, body } of records(list)) {
      const next = at + 8 + body.length;
      if (type === RecordType.slidePersist && body.length >= 16 && slides.length < MAX_SLIDES) {
        end();
        slides.push({ persist: body.readUInt32LE(0), id: body.readUInt32LE(12), outline: [] });
        from = next;
      }
      at = next;
    }
    end();
    return slides;
  }
}
