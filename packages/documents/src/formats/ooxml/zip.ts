import type { Readable } from 'node:stream';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import { FileSource } from '../../file/file-source.ts';
import type { FileLocation } from '../../file/location.ts';
import { UnreadableError } from '../reader.ts';
import { checkPart, type PackageParts, type PartFacts, refuseCompoundFile, unpack } from './parts.ts';

const MAX_ENTRIES = 20_000;

/** The parts of an Office file. Sizes come from the directory and are enforced while reading, so a bomb does not go off. */
export class ZipPackage implements PackageParts {
  readonly #zip: ZipFile;
  readonly #source: FileSource;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, source: FileSource, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#source = source;
    this.#entries = entries;
  }

  static async open(location: FileLocation): Promise<ZipPackage> {
    const source = await FileSource.open(location);
    try {
      refuseCompoundFile(await source.read(0, 4));
      // The descriptor stays the source's: the archive is not closed, which would close it too.
      const zip = await fromFdPromise(source.fd, { autoClose: false, lazyEntries: true }).catch(cause => {
        throw new UnreadableError('The file is damaged: it is not a complete zip archive', { cause });
      });
      if (zip.entryCount > MAX_ENTRIES) throw new UnreadableError(`The file has more than ${MAX_ENTRIES} parts`);
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
      return new ZipPackage(zip, source, entries);
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  size(name: string): number {
    return this.#entries.get(name)?.uncompressedSize ?? 0;
  }

  async read(name: string): Promise<Uint8Array> {
    const { entry, ...facts } = this.#find(name);
    const { fileDataStart } = await this.#zip.readLocalFileHeaderPromise(entry, { minimal: true });
    return unpack(await this.#source.read(fileDataStart, entry.compressedSize), name, facts);
  }

  /** The content of a part as it is inflated. */
  async stream(name: string): Promise<Readable> {
    return this.#zip.openReadStreamPromise(this.#find(name).entry);
  }

  async close(): Promise<void> {
    await this.#source.close();
  }

  #find(name: string): PartFacts & { entry: Entry } {
    const entry = this.#entries.get(name);
    const facts = entry && {
      entry,
      compressedSize: entry.compressedSize,
      uncompressedSize: entry.uncompressedSize,
      isEncrypted: entry.isEncrypted(),
      isCompressed: entry.isCompressed(),
    };
    return checkPart(facts, name);
  }
}
