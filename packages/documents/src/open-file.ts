import type { DocumentInfo, OpenDocument } from '@a2c-smcp/publish';
import type { FileVersion } from './file.ts';
import type { Synopsis } from './formats/reader.ts';
import type { DocumentStore } from './store.ts';

export interface OpenFileOptions {
  store: DocumentStore;
  file: FileVersion;
  /** @default the file is opened */
  synopsis?: (signal?: AbortSignal) => Promise<Synopsis>;
  describe: (synopsis: Synopsis) => DocumentInfo;
}

/** A version of a file as a document. Nothing is read before a page or its synopsis is wanted. */
export function openFile({ store, file, describe, synopsis }: OpenFileOptions): OpenDocument {
  const find = synopsis ?? (signal => store.synopsis(file, { signal }));
  return {
    info: async ({ signal }) => {
      const opened = await find(signal);
      return { ...describe(opened), pageCount: opened.pageCount };
    },
    page: (index, options) => store.page(file, index, options),
    element: async (id, options) => {
      const { pageCount } = await find(options.signal);
      return store.element(file, id, { pageCount, ...options });
    },
    picture: async ({ category, metadata: { part } = {} }) =>
      category === 'image' && typeof part === 'string' ? store.picture(file, part) : undefined,
  };
}
