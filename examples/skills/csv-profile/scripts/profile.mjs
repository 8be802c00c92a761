// Prints a profile of a CSV file as JSON.
//
//   node profile.mjs FILE.csv

import { readFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('Which file? node profile.mjs FILE.csv');
  process.exit(2);
}
const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
const separator = findSeparator(text.slice(0, text.search(/\r?\n|$/)));
const [header = [], ...rows] = parse(text, separator);
const columns = header.map((name, index) =>
  describe(
    name,
    rows.map(row => row[index] ?? ''),
  ),
);
const problems = findProblems();
console.log(JSON.stringify({ separator, rows: rows.length, columns, problems }, null, 2));

/** The candidate that occurs most often in the first line. */
function findSeparator(line) {
  const count = candidate => line.split(candidate).length;
  return [',', ';', '\t', '|'].reduce((best, candidate) => (count(candidate) > count(best) ? candidate : best));
}

/** Fields may be in quotes, and then contain separators, line breaks and doubled quotes. */
function parse(source, comma) {
  const all = [];
  let row = [];
  let field = '';
  let quoted = false;
  const endField = () => {
    row.push(field.trim());
    field = '';
  };
  const endRow = () => {
    endField();
    all.push(row);
    row = [];
  };
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    if (quoted) {
      if (char !== '"') field += char;
      else if (source[at + 1] === '"') field += source[++at];
      else quoted = false;
    } else if (char === '"' && field === '') quoted = true;
    else if (char === comma) endField();
    else if (char === '\n') endRow();
    else if (char !== '\r') field += char;
  }
  endRow();
  return all.filter(fields => fields.some(value => value !== ''));
}

/** A number, with a decimal comma where the separator allows one; undefined for any other text. */
function numberIn(value) {
  const plain = separator === ';' ? value.replaceAll('.', '').replace(',', '.') : value.replaceAll(',', '');
  return /^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(plain) ? Number(plain) : undefined;
}

function describe(name, values) {
  const present = values.filter(value => value !== '');
  const numbers = present.map(numberIn).filter(value => value !== undefined);
  const facts = { name, missing: values.length - present.length, distinct: new Set(present).size };
  if (present.length === 0) return { ...facts, type: 'empty' };
  const range = list => ({ min: list.reduce((a, b) => (b < a ? b : a)), max: list.reduce((a, b) => (b > a ? b : a)) });
  if (numbers.length === present.length) {
    return { ...facts, type: 'number', ...range(numbers), sum: numbers.reduce((a, b) => a + b, 0) };
  }
  if (present.every(value => /^\d{4}-\d{2}-\d{2}/.test(value))) return { ...facts, type: 'date', ...range(present) };
  if (numbers.length > present.length / 2) {
    const odd = [...new Set(present.filter(value => numberIn(value) === undefined))].slice(0, 5);
    return { ...facts, type: 'mixed', odd };
  }
  return { ...facts, type: 'text' };
}

function findProblems() {
  const found = [];
  const report = (kind, count, detail) => count > 0 && found.push({ kind, count, ...detail });
  const ragged = rows.flatMap((row, index) => (row.length === header.length ? [] : [index + 2]));
  report('ragged', ragged.length, { lines: ragged.slice(0, 10) });
  report('duplicates', rows.length - new Set(rows.map(row => JSON.stringify(row))).size);
  for (const { name, type, odd } of columns) {
    if (type === 'mixed') report('mixed', 1, { column: name, odd });
    if (type === 'empty') report('empty', 1, { column: name });
  }
  report('header', header.length - new Set(header.filter(name => name !== '')).size);
  return found;
}
