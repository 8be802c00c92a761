import {
  OP,
  Reader,
  readFunctionType,
  readImport,
  readInstruction,
  readSections,
  SECTION,
  text,
  u32,
  vector,
  writeModule,
} from './binary.mjs';

const I32 = 0x7f;
const MUTABLE = 1;
const NO_RESULT = 0x40;
const EXPORTED_GLOBAL = 3;

/** Two to this power is the number of bytes whose copying costs as much as a turn of a loop. */
const COPY_SHIFT = 6;

/**
 * Makes a module interruptible: every call, every turn of a loop and every copy of memory takes from its fuel, and when
 * there is none left the module calls its import `tick`, which may throw. The fuel is exported as the global `fuel`.
 *
 * It works on the finished binary, so that it covers all code, whatever compiler and linker generated.
 */
export function meter(wasm, tick) {
  const sections = readSections(wasm);
  const reader = id => new Reader(sections.find(section => section.id === id).body);
  const types = reader(SECTION.type).vector(readFunctionType);
  const imports = reader(SECTION.import).vector(readImport);
  const functions = reader(SECTION.function).vector(item => item.u32());

  const tickIndex = imports.findIndex(({ name }) => name === tick);
  if (tickIndex === -1) throw new Error(`The module does not import '${tick}'`);
  const fuel = reader(SECTION.global).u32();

  const bodies = reader(SECTION.code).vector(item => item.bytes(item.u32()));
  const metered = bodies.map((body, index) => meterBody(body, types[functions[index]].parameters, fuel, tickIndex));
  const additions = {
    [SECTION.global]: body => append(body, [I32, MUTABLE, OP.i32Const, 0, OP.end]),
    [SECTION.export]: body => append(body, [...text('fuel'), EXPORTED_GLOBAL, ...u32(fuel)]),
    [SECTION.code]: () => vector(metered.map(body => Buffer.concat([Buffer.from(u32(body.length)), body]))),
  };
  return writeModule(sections.map(({ id, body }) => ({ id, body: additions[id]?.(body) ?? body })));
}

function meterBody(body, parameters, fuel, tick) {
  const reader = new Reader(body);
  const locals = reader.vector(item => ({ count: item.u32(), type: item.byte() }));
  const scratch = parameters + locals.reduce((sum, { count }) => sum + count, 0);

  const takeOne = Buffer.from([
    ...[OP.globalGet, ...u32(fuel), OP.i32Const, 1, OP.i32Sub, OP.globalSet, ...u32(fuel)],
    ...[OP.globalGet, ...u32(fuel), OP.i32Const, 0, OP.i32LtS],
    ...[OP.if, NO_RESULT, OP.call, ...u32(tick), OP.end],
  ]);
  // The length is on top of the stack and stays there.
  const takeLength = Buffer.from([
    ...[OP.localTee, ...u32(scratch), OP.globalGet, ...u32(fuel), OP.localGet, ...u32(scratch)],
    ...[OP.i32Const, COPY_SHIFT, OP.i32ShrU, OP.i32Sub, OP.globalSet, ...u32(fuel)],
  ]);

  const instructions = [takeOne];
  let usesScratch = false;
  while (!reader.done) {
    const start = reader.position;
    const opcode = readInstruction(reader);
    const instruction = body.subarray(start, reader.position);
    if (opcode === OP.loop) instructions.push(instruction, takeOne);
    else if (opcode === OP.memoryCopy || opcode === OP.memoryFill) {
      usesScratch = true;
      instructions.push(takeLength, instruction);
    } else instructions.push(instruction);
  }
  const groups = usesScratch ? [...locals, { count: 1, type: I32 }] : locals;
  return Buffer.concat([vector(groups.map(({ count, type }) => Buffer.from([...u32(count), type]))), ...instructions]);
}

/** A vector with one more item at its end. */
function append(body, item) {
  const reader = new Reader(body);
  const length = reader.u32();
  return Buffer.concat([Buffer.from(u32(length + 1)), body.subarray(reader.position), Buffer.from(item)]);
}
