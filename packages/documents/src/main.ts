import { homedir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream';
import { parseArgs } from 'node:util';
import { digestOf } from './default-host.ts';
import type { DocumentsHttpServer } from './http.ts';
import type { DocumentLibrary, LibraryOptions } from './library.ts';

const HELP = `Usage: a2c-documents FOLDER... [options]

An MCP server that shows every supported file below the folders as a dpe:// document.
It speaks MCP over standard input and output, or over HTTP with --port.

  --authority NAME   authority of the dpe:// URIs (default: by the folders, like local.reports.1f0c9a27)
  --watch            announce changes as they happen (the default)
  --no-watch         detect changes at the next request only, and announce none
  --all              show hidden files and those that .gitignore names
  --language en|zh   language of the labels in renderings (default: en)
  --no-index         do not keep titles and page counts over restarts
  --ocr LANGUAGES    read the words in scanned pages and pictures with the tesseract command, as in eng+chi_sim
  --port NUMBER      serve streamable HTTP at http://127.0.0.1:NUMBER/mcp; 0 takes a free port
  --parse-timeout S  seconds that reading a page may take (default: 15)
  --help             show this text
`;

const MAX_TIMEOUT_MS = 3_600_000;

const options = {
  authority: { type: 'string' },
  // The former name of `--authority`. In `a2c server`, `--host` is the address to listen on.
  host: { type: 'string' },
  watch: { type: 'boolean' },
  'no-watch': { type: 'boolean' },
  all: { type: 'boolean' },
  language: { type: 'string' },
  'no-index': { type: 'boolean' },
  ocr: { type: 'string' },
  port: { type: 'string' },
  'parse-timeout': { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** EX_SOFTWARE of sysexits.h: the process failed unexpectedly, and a supervisor should start it again. */
const EXIT_CRASHED = 70;
/** Milliseconds from an unexpected failure to the end of the process. */
const DRAIN_TIMEOUT_MS = 10_000;
const MAX_REPORT_LENGTH = 2000;

/** Stops serving. */
let stop = async (): Promise<void> => {};
let isDraining = false;

// Also raised for unhandled rejections. A second one while draining ends the process at once.
process.on('uncaughtException', error => {
  const report = String(error?.stack ?? error)
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '');
  process.stderr.write(`a2c-documents: Unexpected failure: ${report.slice(0, MAX_REPORT_LENGTH)}\n`);
  if (isDraining) process.exit(EXIT_CRASHED);
  isDraining = true;
  setTimeout(() => process.exit(EXIT_CRASHED), DRAIN_TIMEOUT_MS).unref();
  void stop().finally(() => process.exit(EXIT_CRASHED));
});
// A client that reads no log must not end the process.
process.stderr.on('error', () => {});

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`a2c-documents: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

async function main(args: string[]): Promise<void> {
  const { values, positionals: folders } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  if (folders.length === 0) throw new Error('Name at least one folder; --help shows how');
  const opening = libraryOptions(folders, values);
  const port = values.port === undefined ? undefined : parsePort(values.port);
  // Loaded after the arguments were checked, so that a mistake in them is reported at once.
  const { DocumentLibrary: Library } = await import('./library.ts');
  const library = await Library.open(opening);
  if (opening.watch && !library.isWatching) {
    process.stderr.write('a2c-documents: The folders cannot be watched: changes are detected at the next request\n');
  }
  const serving = port === undefined ? await serve(library) : await listen(library, port);
  stop = async () => {
    await serving.close();
    await library.close();
  };
  process.once('SIGINT', () => stop());
  process.once('SIGTERM', () => stop());
  // The client of a stdio server disconnects by closing its end. A file or /dev/null in its place ends, but never closes.
  if (values.port === undefined) finished(process.stdin, { writable: false }, () => stop());
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

function libraryOptions(folders: readonly string[], values: Values): LibraryOptions {
  const { authority, host, all, ocr, language = 'en' } = values;
  if (host !== undefined) process.stderr.write('a2c-documents: --host is deprecated: use --authority\n');
  if (language !== 'en' && language !== 'zh') throw new Error(`--language must be en or zh, not '${language}'`);
  if (values.watch && values['no-watch']) throw new Error('--watch and --no-watch exclude each other');
  return {
    folders,
    language,
    host: authority ?? host,
    watch: !values['no-watch'],
    all,
    ocr,
    indexFile: values['no-index'] ? undefined : indexFile(folders),
    parseTimeout: parseSeconds(values['parse-timeout']),
  };
}

function parseSeconds(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  const milliseconds = Number(seconds) * 1000;
  if (!(milliseconds >= 1 && milliseconds <= MAX_TIMEOUT_MS)) {
    throw new Error(`--parse-timeout must be a number of seconds up to 3600, not '${seconds}'`);
  }
  return milliseconds;
}

function parsePort(port: string): number {
  if (!/^\d{1,5}$/.test(port)) throw new Error(`--port must be a number, not '${port}'`);
  return Number(port);
}

async function serve(library: DocumentLibrary) {
  const { serveDocuments } = await import('./server.ts');
  return serveDocuments(library);
}

async function listen(library: DocumentLibrary, port: number): Promise<DocumentsHttpServer> {
  const { DocumentsHttpServer: HttpServer } = await import('./http.ts');
  const server = await HttpServer.listen({ library, port });
  process.stderr.write(`Documents at ${server.url}\n`);
  return server;
}

/** In the user's cache folder, one file for each choice of folders. */
function indexFile(folders: readonly string[]): string {
  return join(cacheFolder(), 'a2c-smcp', 'documents', `${digestOf(folders)}.json`);
}

function cacheFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const usual = process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache');
  return XDG_CACHE_HOME || LOCALAPPDATA || usual;
}
