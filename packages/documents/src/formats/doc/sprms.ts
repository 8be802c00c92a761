/** Sizes of the values of properties, by the three upper bits of their codes; undefined if the value says it. */
const sizes = [1, 1, 2, 4, 2, 2, undefined, 3];

const TABLE_DEFINITION = 0xd608;
const TABS = 0xc615;

/** A changed property: its code and its value. */
export interface Sprm {
  code: number;
  value: Buffer;
}

/** The properties of a list of changes; it ends where it is damaged. */
export function* sprms(bytes: Buffer): Generator<Sprm> {
  let at = 0;
  while (at + 3 <= bytes.length) {
    const code = bytes.readUInt16LE(at);
    const fixed = sizes[code >> 13];
    const from = at + 2 + (fixed === undefined ? (code === TABLE_DEFINITION ? 2 : 1) : 0);
    const size = fixed ?? variableSize(code, bytes, at + 2);
    if (size === undefined || from + size > bytes.length) return;
    yield { code, value: bytes.subarray(from, from + size) };
    at = from + size;
  }
}

function variableSize(code: number, bytes: Buffer, at: number): number | undefined {
  if (code === TABLE_DEFINITION) return at + 2 > bytes.length ? undefined : Math.max(bytes.readUInt16LE(at) - 1, 0);
  const size = bytes[at];
  // Tabs may be longer than a byte counts; nothing that is used here follows them.
  return code === TABS && size === 0xff ? undefined : size;
}

/** A signed or unsigned number as a property has it. */
export function numberOf({ value }: Sprm): number {
  return value.length === 1 ? (value[0] ?? 0) : value.length === 2 ? value.readInt16LE(0) : value.readInt32LE(0);
}
