/** The binary format of WebAssembly, as far as the build needs it. */

export const SECTION = { type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 };

/** Opcodes behind the prefix 0xfc are numbered from here. */
export const MISC = 0xfc00;
const MEMORY_COPY = 10;
const MEMORY_FILL = 11;

export const OP = {
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  call: 0x10,
  localGet: 0x20,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Const: 0x41,
  i32LtS: 0x48,
  i32Sub: 0x6b,
  i32ShrU: 0x76,
  memoryCopy: MISC + MEMORY_COPY,
  memoryFill: MISC + MEMORY_FILL,
};

export class Reader {
  position = 0;
  #bytes;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  get done() {
    return this.position >= this.#bytes.length;
  }

  byte() {
    return this.#bytes[this.position++];
  }

  bytes(length) {
    this.position += length;
    return this.#bytes.subarray(this.position - length, this.position);
  }

  /** The bytes from a former position to this one. */
  since(start) {
    return this.#bytes.subarray(start, this.position);
  }

  u32() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  /** Skips a number of any width. */
  skipNumber() {
    while (this.byte() >= 0x80);
  }

  text() {
    return this.bytes(this.u32()).toString();
  }

  vector(readItem) {
    return Array.from({ length: this.u32() }, () => readItem(this));
  }
}

export function u32(value) {
  const bytes = [];
  for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

export function text(value) {
  const bytes = Buffer.from(value);
  return [...u32(bytes.length), ...bytes];
}

/** A vector of items that are bytes already. */
export function vector(items) {
  return Buffer.concat([Buffer.from(u32(items.length)), ...items]);
}

export function readSections(wasm) {
  const reader = new Reader(wasm);
  reader.bytes(8);
  const sections = [];
  while (!reader.done) sections.push({ id: reader.byte(), body: reader.bytes(reader.u32()) });
  return sections;
}

export function writeModule(sections) {
  const header = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  return Buffer.concat([header, ...sections.flatMap(({ id, body }) => [Buffer.from([id, ...u32(body.length)]), body])]);
}

export function readImport(reader) {
  const [module, name, kind] = [reader.text(), reader.text(), reader.byte()];
  if (kind !== 0) throw new Error(`The module imports '${name}', which is no function`);
  return { module, name, kind, type: reader.u32() };
}

/** The number of parameters and results of a function type. */
export function readFunctionType(reader) {
  if (reader.byte() !== 0x60) throw new Error('The module has a type that is no function');
  return { parameters: reader.vector(item => item.byte()).length, results: reader.vector(item => item.byte()).length };
}

/** Skips one instruction and returns its opcode. */
export function readInstruction(reader) {
  const opcode = reader.byte();
  if (opcode === 0xfc) return MISC + readMiscInstruction(reader);
  skipImmediates(reader, opcode);
  return opcode;
}

function readMiscInstruction(reader) {
  const opcode = reader.u32();
  if (opcode > 17) throw new Error(`Unknown instruction 0xfc ${opcode}`);
  const twoImmediates = [8, 10, 12, 14].includes(opcode);
  const immediates = opcode < 8 ? 0 : twoImmediates ? 2 : 1;
  for (let left = immediates; left > 0; left--) reader.u32();
  return opcode;
}

function skipImmediates(reader, opcode) {
  if (between(opcode, 0x45, 0xc4) || [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, 0xd1].includes(opcode)) return;
  if (between(opcode, 0x02, 0x04) || [0x41, 0x42, 0xd0].includes(opcode)) return reader.skipNumber();
  if ([0x0c, 0x0d, 0x10, 0x12, 0xd2, 0x3f, 0x40].includes(opcode) || between(opcode, 0x20, 0x26)) {
    return void reader.u32();
  }
  if ([0x11, 0x13].includes(opcode) || between(opcode, 0x28, 0x3e)) return void [reader.u32(), reader.u32()];
  if (opcode === 0x0e) return void [reader.vector(item => item.u32()), reader.u32()];
  if (opcode === 0x1c) return void reader.vector(item => item.byte());
  if (opcode === 0x43) return void reader.bytes(4);
  if (opcode === 0x44) return void reader.bytes(8);
  throw new Error(`Unknown instruction 0x${opcode?.toString(16)}`);
}

function between(value, first, last) {
  return value >= first && value <= last;
}
