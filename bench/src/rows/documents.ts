import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CorpusFormat, formats, make, type Sample } from '../corpus/formats.ts';
import { type Score, score } from '../corpus/score.ts';
import { Participant } from '../harness/participant.ts';
import { onAllCores } from '../harness/pinning.ts';
import { unlessQuick } from '../harness/quick.ts';
import { median, spreadOf } from '../harness/statistics.ts';
import { isOurs, type OurReader, ourReaders, startOtherReaders, startOurReaders } from '../harness/text-readers.ts';
import type { DocumentListing } from '../processes/document-lister.ts';
import { atLeast, atMost, timed } from '../report/lines.ts';
import type { Result, Section } from '../report/result.ts';
import { duration, rounded } from '../report/units.ts';

/** Files of each format that are measured, after others to warm up, and the first of those. */
const FILES = unlessQuick(8, 1);
const WARM_FILES = unlessQuick(24, 1);
const FIRST_FILES = unlessQuick(6, 1);
const LISTED_FILES = unlessQuick(10_000, 100);
const LISTED_PER_FOLDER = 100;
const RECALL = 0.97;
type Limits = Partial<Record<CorpusFormat, number>>;

/** The most CPU of our function by that of officeparser. */
const CPU_LIMITS: Limits = { docx: 1, xlsx: 1, pptx: 1, html: 1, pdf: 2, md: 2, csv: 1.2 };
/**
 * The same of an Agent's reads. HTML has none: the function in a bare worker thread, with one message there and one back,
 * takes as much CPU as officeparser for files of few kilobytes.
 */
const AGENT_CPU_LIMITS: Limits = { docx: 1, xlsx: 1, pptx: 1, pdf: 2 };
/** Other targets than that for recall. */
const ROWS_LIMITS: Limits = { pdf: 0.6 };

const title = 'Documents';

/** How completely and how fast documents are read, and how soon a large folder is listed. */
export async function documents(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-bench-'));
  try {
    const { results, missing } = await reading(folder);
    const left = missing.length === 0 ? '' : ` Not installed, and so not compared: ${missing.join(', ')}.`;
    return {
      title,
      method:
        `Files whose text is known, ${FILES} of each format, read in whole by our library and by markitdown, officeparser ` +
        `and pandoc, each a process that has read ${WARM_FILES} others before: engines compile while the first files are read, ` +
        `whose CPU is a line of its own. CPU per file compares like with like: a function that gets a path and gives the ` +
        `text, ours \`readMarkdown\`, that of officeparser \`parseOffice\`. As an Agent reads is what the same file costs through ` +
        `the library, which officeparser has no counterpart of: a worker thread with limits, pages with ids and hashes, a check ` +
        'of the file for each page. Recall and the other shares are of this way. ' +
        'A program that does not read a format is left out. Recall and ' +
        'precision are of words with repeats, order is the share of neighbouring words that stay neighbours, rows are the ' +
        'rows of tables that are one line. CPU is the median of a file, its ratio that to officeparser. `cjk` are texts in ' +
        `older Chinese, Japanese and Korean encodings.${left} The folder has ${rounded(LISTED_FILES)} Markdown files; a Computer with the ` +
        'documents server starts on all cores, and an Agent asks for its documents.',
      results: [...results, ...(await onAllCores(listing))],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  scores: Score[];
  cpu: number[];
  /** Of the first files. */
  first: number[];
}

async function reading(folder: string): Promise<{ results: Result[]; missing: string[] }> {
  const results: Result[] = [];
  const corpus = new Map<CorpusFormat, { warm: Sample[]; measured: Sample[] }>();
  for (const format of formats) {
    const samples: Sample[] = [];
    for (let number = 0; number < FILES + WARM_FILES; number += 1) {
      const sample = await make(format, number);
      writeFileSync(join(folder, sample.name), sample.bytes);
      samples.push(sample);
    }
    corpus.set(format, { warm: samples.slice(FILES), measured: samples.slice(0, FILES) });
  }
  const { readers: others, missing } = await startOtherReaders(folder);
  const readers = [...(await startOurReaders(folder)), ...others];
  try {
    const peaks = new Map<string, number>();
    for (const [format, { warm, measured }] of corpus) {
      const byReader = new Map<string, Measured>(readers.map(({ name }) => [name, { scores: [], cpu: [], first: [] }]));
      for (const [index, { name }] of warm.entries()) {
        for (const reader of readers) {
          const { cpu } = await reader.read(join(folder, name));
          if (index < FIRST_FILES) byReader.get(reader.name)?.first.push(cpu);
        }
      }
      for (const { name, truth } of measured) {
        for (const reader of readers) {
          const { text, cpu, peak } = await reader.read(join(folder, name));
          const into = byReader.get(reader.name);
          into?.scores.push(score(text, truth));
          into?.cpu.push(cpu);
          if (text !== '') peaks.set(reader.name, Math.max(peaks.get(reader.name) ?? 0, peak));
        }
      }
      const able = [...byReader].filter(([, { scores }]) => scores.some(({ recall }) => recall > 0));
      results.push(...linesOf(format, new Map(able)));
    }
    results.push(
      { name: 'peak memory', baseline: listed(peaks, megabytes), ours: megabytes(peaks.get('function') ?? 0) },
      { name: 'peak memory, as an Agent reads', ours: megabytes(peaks.get('ours') ?? 0) },
    );
  } finally {
    await Promise.all(readers.map(reader => reader[Symbol.asyncDispose]()));
  }
  return { results, missing };
}

function linesOf(format: CorpusFormat, measured: ReadonlyMap<string, Measured>): Result[] {
  const ours = measured.get('ours');
  if (ours === undefined) return [];
  const share = (key: keyof Score): Result | undefined => {
    const means = new Map([...measured].map(([name, { scores }]) => [name, mean(scores.map(each => each[key] ?? 0))]));
    const value = means.get('ours') ?? 0;
    if (ours.scores.every(each => each[key] === undefined)) return undefined;
    const best = Math.max(0, ...[...means].filter(([name]) => !isOurs(name)).map(([, each]) => each));
    const limit = key === 'recall' ? Math.max(RECALL, best) : key === 'rows' ? ROWS_LIMITS[format] : undefined;
    return {
      name: `${format}: ${key}`,
      baseline: listed(means, String),
      ours: String(value),
      value,
      ...(limit === undefined ? {} : { target: atLeast(limit) }),
    };
  };
  const lines = (['recall', 'precision', 'order', 'rows'] as const).map(share).filter(line => line !== undefined);
  return [
    ...lines,
    ...cpuLines(`${format}: CPU per file`, 'function', measured, CPU_LIMITS[format]),
    ...cpuLines(`${format}: CPU per file, as an Agent reads`, 'ours', measured, AGENT_CPU_LIMITS[format]),
    ...firstLines(format, measured),
  ];
}

/** The CPU of one of our ways to read, by that of officeparser. */
function cpuLines(
  name: string,
  reader: OurReader,
  measured: ReadonlyMap<string, Measured>,
  limit: number | undefined,
): Result[] {
  const ours = measured.get(reader);
  if (ours === undefined) return [];
  const officeparser = measured.get('officeparser');
  const medians = new Map([...measured].map(([other, { cpu }]) => [other, median(cpu)]));
  const ratio = officeparser && spreadOf(ours.cpu.map((cpu, index) => cpu / (officeparser.cpu[index] ?? Number.NaN)));
  return [
    {
      name,
      baseline: listed(medians, duration),
      ours: duration(median(ours.cpu)),
      ...(ratio && { ratio }),
      ...(ratio && limit !== undefined && { target: atMost(limit) }),
    },
  ];
}

/** The CPU of the first files, while engines still compile. */
function firstLines(format: CorpusFormat, measured: ReadonlyMap<string, Measured>): Result[] {
  const medians = new Map([...measured].map(([name, { first }]) => [name, median(first)]));
  return ourReaders.map(reader => ({
    name: `${format}: CPU per file, first ${FIRST_FILES}${reader === 'ours' ? ', as an Agent reads' : ''}`,
    baseline: listed(medians, duration),
    ours: duration(medians.get(reader) ?? Number.NaN),
  }));
}

async function listing(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-bench-'));
  try {
    for (let number = 0; number < LISTED_FILES; number += 1) {
      const below = join(folder, String(Math.floor(number / LISTED_PER_FOLDER)));
      if (number % LISTED_PER_FOLDER === 0) mkdirSync(below);
      writeFileSync(join(below, `${number}.md`), `# Note ${number}\n\nThe text of note ${number}.\n`);
    }
    await using lister = await Participant.start('document-lister', { folder, files: LISTED_FILES });
    const { listed: first, counted, peak } = await lister.ask<DocumentListing>('go');
    const name = `${LISTED_FILES.toLocaleString('en')} files`;
    return [
      timed(`${name}, start to the first list`, [first], atMost(3000, 'ms')),
      timed(`${name}, start to all page counts`, [counted]),
      {
        name: `${name}, peak memory of the documents server`,
        ours: megabytes(peak),
        value: peak / 1e6,
        target: atMost(400, 'MB'),
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The values of the others, by name. */
function listed(values: ReadonlyMap<string, number>, words: (value: number) => string): string {
  return [...values]
    .filter(([name]) => !isOurs(name))
    .map(([name, value]) => `${name} ${words(value)}`)
    .join(', ');
}

function mean(values: readonly number[]): number {
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 1000) / 1000;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
