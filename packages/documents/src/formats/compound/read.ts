import { FileSource, type FileVersion, UnreadableError } from '../../file.ts';
import { CompoundFile } from './compound-file.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** Reads the container of an old Office file or of a mail of Outlook. */
export async function readCompound(file: FileVersion): Promise<CompoundFile> {
  if (file.size > MAX_BYTES) throw new UnreadableError('The file is too large to be read');
  await using source = await FileSource.open(file);
  return new CompoundFile(await source.read(0, file.size));
}
