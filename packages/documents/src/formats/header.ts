import { FileSource } from '../file/file-source.ts';
import { formatOf } from './formats.ts';
import { type DocumentHeader, type LocatedFile, problemHeader, problemOf, UnreadableError } from './reader.ts';

/** What the catalogue says of a file, at a bounded price; nothing when only opening it can tell. */
export async function readHeader(file: LocatedFile): Promise<DocumentHeader | undefined> {
  try {
    const format = formatOf(file.type);
    if (format === undefined) throw new UnreadableError(`Files of type '${file.type}' are not supported`);
    const read = await format.loadHeader();
    await using source = await FileSource.open(file);
    return await read(source, file);
  } catch (error) {
    return problemHeader(problemOf(error));
  }
}
