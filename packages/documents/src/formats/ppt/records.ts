/** Types of records that are read. */
export const RecordType = {
  documentAtom: 0x03e9,
  slide: 0x03ee,
  slideAtom: 0x03ef,
  notes: 0x03f0,
  slidePersist: 0x03f3,
  slideShowInfo: 0x03f9,
  drawingGroup: 0x040b,
  drawing: 0x040c,
  placeholder: 0x0bc3,
  outlineReference: 0x0f9e,
  textHeader: 0x0f9f,
  wideText: 0x0fa0,
  textStyle: 0x0fa1,
  byteText: 0x0fa8,
  string: 0x0fba,
  numberField: 0x0fd8,
  headersFooters: 0x0fd9,
  headersFootersAtom: 0x0fda,
  slideList: 0x0ff0,
  userEdit: 0x0ff5,
  timeField: 0x0ff7,
  dateField: 0x0ff8,
  headerField: 0x0ff9,
  footerField: 0x0ffa,
  formattedTimeField: 0x1015,
  persistDirectory: 0x1772,
  comment: 0x2ee0,
  groupOfPictures: 0xf000,
  pictureStore: 0xf001,
  groupShape: 0xf003,
  shape: 0xf004,
  pictureEntry: 0xf007,
  shapeAtom: 0xf00a,
  shapeProperties: 0xf00b,
  textBox: 0xf00d,
  childAnchor: 0xf00f,
  tableProperties: 0xf122,
} as const;

const HEADER_BYTES = 8;
const CONTAINER = 0xf;
/** Records of later versions, which is not marked as a container. */
const EXTENSION = 0x138b;
/** Containers inside of each other. */
const MAX_DEPTH = 50;

/** A record of a PowerPoint file; the body of a container is records. */
export interface PptRecord {
  type: number;
  instance: number;
  isContainer: boolean;
  body: Buffer;
}

/** The records in some bytes; they end where they are damaged. */
export function* records(bytes: Buffer): Generator<PptRecord> {
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const record = recordAt(bytes, at);
    yield record;
    at += HEADER_BYTES + record.body.length;
  }
}

/** The record at an offset, which must be inside of the bytes. */
export function recordAt(bytes: Buffer, at: number): PptRecord {
  const head = bytes.readUInt16LE(at);
  const type = bytes.readUInt16LE(at + 2);
  const from = at + HEADER_BYTES;
  return {
    type,
    instance: head >> 4,
    isContainer: (head & 0xf) === CONTAINER || type === EXTENSION,
    body: bytes.subarray(from, from + bytes.readUInt32LE(at + 4)),
  };
}

/** The first record of a type, directly in some bytes. */
export function findRecord(bytes: Buffer | undefined, type: number): PptRecord | undefined {
  if (bytes === undefined) return undefined;
  for (const record of records(bytes)) if (record.type === type) return record;
  return undefined;
}

/** The records of a type at any depth, in their order; those inside of each other are not looked for. */
export function* findAll(bytes: Buffer, type: number, depth = 0): Generator<PptRecord> {
  for (const record of records(bytes)) {
    if (record.type === type) yield record;
    else if (record.isContainer && depth < MAX_DEPTH) yield* findAll(record.body, type, depth + 1);
  }
}
