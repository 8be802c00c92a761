import {
  Reader,
  readFunctionType,
  readImport,
  readSections,
  SECTION,
  text,
  u32,
  vector,
  writeModule,
} from './binary.mjs';

/**
 * The imports of wasm-bindgen, by their name and number of parameters, and the names that our host gives them: JavaScript's
 * constructors and methods of dates, and random numbers.
 */
const IMPORTS = {
  'new_0/0': 'now',
  'new/1': 'date',
  'new_with_year_month_day_hr_min_sec/6': 'local_date',
  'getTime/1': 'time',
  'getTimezoneOffset/1': 'timezone_offset',
  'generic/1': 'number',
  'getRandomValues/2': 'random',
};

/** Imports that nothing reaches: they look up the name of the local timezone, and the host always names one. */
const UNREACHABLE = [
  'new/0',
  'new/2',
  'resolvedOptions/1',
  'get/2',
  'string_get/2',
  'generic/2',
  'throw/2',
  'init_externref_table/0',
];

const EXPORTS = ['memory', 'start', 'input', 'output', 'output_length', 'compile', 'timezone', 'run', 'dispose'];

/** Gives the imports names that do not change with every version of a library, and drops unused exports. */
export function tidyInterface(wasm) {
  const sections = readSections(wasm);
  const types = new Reader(sections.find(({ id }) => id === SECTION.type).body).vector(readFunctionType);
  const rewrite = {
    [SECTION.import]: reader => reader.vector(readImport).map(imported => writeImport(imported, types)),
    [SECTION.export]: reader =>
      reader
        .vector(readExport)
        .filter(({ name }) => EXPORTS.includes(name))
        .map(({ bytes }) => bytes),
  };
  return writeModule(
    sections.map(({ id, body }) => (rewrite[id] ? { id, body: vector(rewrite[id](new Reader(body))) } : { id, body })),
  );
}

function writeImport({ module, name, kind, type }, types) {
  const ours = module === 'host' ? name : hostName(name, types[type].parameters);
  return Buffer.from([...text('host'), ...text(ours), kind, ...u32(type)]);
}

function hostName(name, parameters) {
  const plain = name.replace(/^(__wbg_)?(__wbindgen_)?/, '').replace(/_[0-9a-f]{16}$/, '');
  const key = `${plain}/${parameters}`;
  if (UNREACHABLE.includes(key)) return 'unreachable';
  if (!IMPORTS[key]) throw new Error(`The module imports '${name}', which the host does not offer`);
  return IMPORTS[key];
}

function readExport(reader) {
  const start = reader.position;
  const name = reader.text();
  reader.byte();
  reader.u32();
  return { name, bytes: reader.since(start) };
}
