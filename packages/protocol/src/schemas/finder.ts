import * as z from 'zod';
import { ComputerCallData } from './call.ts';

/** What an element of a page can be. */
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

/** What is known of a document without opening it. */
const DocumentFacts = z.looseObject({
  /** Names the document for its MCP server; opaque to everybody else. */
  doc_ref: z.string(),
  uri: z.string(),
  /** Empty when unknown. */
  file_uri: z.string(),
  /** As in `xlsx`, `pdf`. Empty when unknown. */
  file_type: z.string(),
  title: z.string(),
  page_count: z.int().min(0),
  keywords: z.array(z.string()).optional(),
  summary: z.string().optional(),
  /** ISO 8601. */
  last_modified: z.string().optional(),
});

/** A document in the catalogue. `server`, the MCP server it comes from, is filled in by the Computer. */
export const DPEDocumentSummary = DocumentFacts.extend({ server: z.string() });
export type DPEDocumentSummary = z.infer<typeof DPEDocumentSummary>;

export const GetFinderReq = ComputerCallData.extend({
  keywords: z.array(z.string()).optional(),
  file_type: z.string().optional(),
  /** @default 0 */
  offset: z.int().min(0).optional(),
  /** More than 100 counts as 100. @default 20 */
  limit: z.int().min(0).optional(),
});
export type GetFinderReq = z.infer<typeof GetFinderReq>;

export const GetFinderRet = z.looseObject({
  documents: z.array(DPEDocumentSummary).optional(),
  /** Matches before paging. */
  total_count: z.int().min(0).optional(),
  req_id: z.string().optional(),
});
export type GetFinderRet = z.infer<typeof GetFinderRet>;

/** A page in a document's index. Pages are counted from 0. */
export const DPEPageSummary = z.looseObject({
  page_index: z.int().min(0),
  title: z.string(),
  element_count: z.int().min(0),
  uri: z.string(),
  doc_ref: z.string().optional(),
});
export type DPEPageSummary = z.infer<typeof DPEPageSummary>;

/** An element. Readers meet categories newer than ours, so it is any string here. */
export const DPEElementDetail = z.looseObject({
  element_id: z.string(),
  category: z.string(),
  summary: z.string().optional(),
  content: z.record(z.string(), z.unknown()),
  doc_ref: z.string().optional(),
  page_index: z.int().min(0).optional(),
  uri: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type DPEElementDetail = z.infer<typeof DPEElementDetail>;

/** Level 0: what `dpe://host` contains. */
export const DPECatalog = z.looseObject({
  documents: z.array(DocumentFacts),
  total_count: z.int().min(0),
});
export type DPECatalog = z.infer<typeof DPECatalog>;

/** Level 1: what `dpe://host/doc-ref` contains; the page fields only with `depth=pages`. */
export const DPEDocument = DocumentFacts.extend({
  pages: z.array(DPEPageSummary).optional(),
  page_offset: z.int().min(0).optional(),
  page_limit: z.int().min(1).optional(),
  page_total: z.int().min(0).optional(),
});
export type DPEDocument = z.infer<typeof DPEDocument>;

/** Level 2: what `dpe://host/doc-ref/pages/N` contains. A rendering replaces nothing, it is added. */
export const DPEPage = z.looseObject({
  page_index: z.int().min(0),
  title: z.string(),
  doc_ref: z.string(),
  uri: z.string(),
  elements: z.array(DPEElementDetail),
  /** The number of elements in `elements`. */
  element_count: z.int().min(0),
  /** With `format=markdown`. */
  content_markdown: z.string().optional(),
  /** With `format=text`. */
  content_text: z.string().optional(),
});
export type DPEPage = z.infer<typeof DPEPage>;
