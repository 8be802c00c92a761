export type { ResourceChange } from './changes.ts';
export type { Element, Page } from './content/element.ts';
export { describeDocument, toResource } from './describe.ts';
export { type Documents, type DocumentsOptions, documents } from './documents.ts';
export { finderError } from './finder-error.ts';
export { guardRequest } from './guard-request.ts';
export { type ReadOptions, readDocuments } from './levels.ts';
export type { RequestOptions } from './published-resources.ts';
export { readContents } from './read-contents.ts';
export type {
  DocumentInfo,
  DocumentList,
  DocumentSource,
  FoundElement,
  ListOptions,
  OpenDocument,
  OpenPage,
  PageElement,
  Picture,
  SourceElement,
  SourcePage,
} from './source.ts';
export { type PublishedWindow, type WindowOptions, Windows, type WindowsOptions, windows } from './windows.ts';
