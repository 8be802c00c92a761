export type { Picture } from '@a2c-smcp/publish';
export type { CatalogChange, CatalogEntry } from './catalog/catalog.ts';
export type { DocumentDescription, DocumentList, ListedDocument } from './describe.ts';
export { supportedTypes } from './formats/formats.ts';
export type { Synopsis } from './formats/reader.ts';
export { DocumentsHttpServer, type HttpOptions } from './http.ts';
export { DocumentLibrary, type LibraryOptions, type ListOptions, type ReadOptions } from './library.ts';
export type { FoundPage, SearchOptions, SearchResult } from './search/document-search.ts';
export { createDocumentsServer, type DocumentsServerOptions, serveDocuments } from './server.ts';
