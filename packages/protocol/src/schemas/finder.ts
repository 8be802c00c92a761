import * as z from 'zod/mini';
import { ComputerCallData } from './call.ts';
import { UpdateComputerConfigReq } from './config.ts';

/** The kinds of elements of a page. */
export const ElementCategory = z.enum([
  'text',
  'heading',
  'list',
  'code',
  'table',
  'pivot_table',
  'chart',
  'diagram',
  'image',
  'formula',
  'link',
  'annotation',
  'header',
  'footer',
  'separator',
  'audio',
  'video',
  'form',
  'widget',
]);
export type ElementCategory = z.infer<typeof ElementCategory>;

/** Facts about a document that are known without opening it. */
const DocumentFacts = z.looseObject({
  /** Names the document for its MCP server; opaque to all others. */
  doc_ref: z.string(),
  uri: z.string(),
  /** Empty when unknown. */
  file_uri: z.string(),
  /** As in `xlsx`, `pdf`. Empty when unknown. */
  file_type: z.string(),
  title: z.string(),
  page_count: z.int().check(z.minimum(0)),
  keywords: z.optional(z.array(z.string())),
  summary: z.optional(z.string()),
  /** ISO 8601. */
  last_modified: z.optional(z.string()),
});

/** A document in the catalogue. `server`, the MCP server it comes from, is filled in by the Computer. */
export const DPEDocumentSummary = z.extend(DocumentFacts, { server: z.string() });
export type DPEDocumentSummary = z.infer<typeof DPEDocumentSummary>;

/** Null means the same as a missing field. */
export const GetFinderReq = z.extend(ComputerCallData, {
  keywords: z.nullish(z.array(z.string())),
  file_type: z.nullish(z.string()),
  /** @default 0 */
  offset: z.nullish(z.int().check(z.minimum(0))),
  /** More than 100 counts as 100. @default 20 */
  limit: z.nullish(z.int().check(z.minimum(0))),
  /** Extension: words that pages mention. The answer then has `hits`. */
  content: z.nullish(z.string()),
});
export type GetFinderReq = z.infer<typeof GetFinderReq>;

/** Extension: a page that mentions the words of a search. */
export const DPEHit = z.looseObject({
  /** Of the page, at level 2. */
  uri: z.string(),
  doc_ref: z.string(),
  page_index: z.int().check(z.minimum(0)),
  /** Of the page. */
  title: z.string(),
  /** The part of the page that mentions the words, on one line. */
  passage: z.string(),
  /** From 0 to 1, and comparable over MCP servers and Computers. */
  score: z.number(),
  server: z.string(),
});
export type DPEHit = z.infer<typeof DPEHit>;

export const GetFinderRet = z.looseObject({
  documents: z.optional(z.array(DPEDocumentSummary)),
  /** Matches before paging. */
  total_count: z.optional(z.int().check(z.minimum(0))),
  /** Extension: the pages that mention `content`, best first. Absent if it was not searched for. */
  hits: z.optional(z.array(DPEHit)),
  /** Extension: documents that were not searched yet, so that a later search may find more. */
  pending: z.optional(z.int().check(z.minimum(0))),
  /** Extension: the MCP servers with documents that were not searched. */
  unsearched: z.optional(z.array(z.string())),
  req_id: z.optional(z.string()),
});
export type GetFinderRet = z.infer<typeof GetFinderRet>;

/** Announces a change of a Computer's documents. */
export const UpdateFinderReq = z.extend(UpdateComputerConfigReq, {
  /** Extension: the documents that changed, came or went. Absent if any may have changed. */
  uris: z.optional(z.array(z.string())),
});
export type UpdateFinderReq = z.infer<typeof UpdateFinderReq>;

/** A page in a document's index. Pages are counted from 0. */
export const DPEPageSummary = z.looseObject({
  page_index: z.int().check(z.minimum(0)),
  title: z.string(),
  element_count: z.int().check(z.minimum(0)),
  uri: z.string(),
  doc_ref: z.optional(z.string()),
  /** Extension: another one when the page has changed. */
  hash: z.optional(z.string()),
});
export type DPEPageSummary = z.infer<typeof DPEPageSummary>;

/** An element. Readers meet categories newer than ours, so it is any string here. */
export const DPEElementDetail = z.looseObject({
  element_id: z.string(),
  category: z.string(),
  summary: z.optional(z.string()),
  content: z.record(z.string(), z.unknown()),
  doc_ref: z.optional(z.string()),
  page_index: z.optional(z.int().check(z.minimum(0))),
  uri: z.optional(z.string()),
  metadata: z.optional(z.record(z.string(), z.unknown())),
});
export type DPEElementDetail = z.infer<typeof DPEElementDetail>;

/** Level 0: the contents of `dpe://host`. */
export const DPECatalog = z.looseObject({
  documents: z.array(DocumentFacts),
  total_count: z.int().check(z.minimum(0)),
});
export type DPECatalog = z.infer<typeof DPECatalog>;

/** Level 1: the contents of `dpe://host/doc-ref`; the page fields only with `depth=pages`. */
export const DPEDocument = z.extend(DocumentFacts, {
  pages: z.optional(z.array(DPEPageSummary)),
  page_offset: z.optional(z.int().check(z.minimum(0))),
  page_limit: z.optional(z.int().check(z.minimum(1))),
  page_total: z.optional(z.int().check(z.minimum(0))),
});
export type DPEDocument = z.infer<typeof DPEDocument>;

/** Level 2: the contents of `dpe://host/doc-ref/pages/N`. A rendering comes in addition to the elements. */
export const DPEPage = z.looseObject({
  page_index: z.int().check(z.minimum(0)),
  title: z.string(),
  doc_ref: z.string(),
  uri: z.string(),
  elements: z.array(DPEElementDetail),
  /** The number of elements in `elements`. */
  element_count: z.int().check(z.minimum(0)),
  /** With `format=markdown`. */
  content_markdown: z.optional(z.string()),
  /** With `format=text`. */
  content_text: z.optional(z.string()),
  /** Extension: that of the whole page, whatever its format and categories. */
  hash: z.optional(z.string()),
});
export type DPEPage = z.infer<typeof DPEPage>;
