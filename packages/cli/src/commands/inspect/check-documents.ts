import type { PublishedByServer, ResourceProblem } from '@a2c-smcp/computer';
import {
  DPECatalog,
  DPEDocument,
  type DPEDocumentSummary,
  DPEElementDetail,
  DPEPage,
  describeProblem,
  ErrorCode,
  parseDpeUri,
} from '@a2c-smcp/protocol';
import type { Finding } from '../finding.ts';
import type { Inspected } from './inspected.ts';
import { broken } from './rules.ts';

/** Documents of which every level is read, pages of each, and elements of each page. */
const MAX_DOCUMENTS = 20;
const MAX_PAGES = 50;
const MAX_ELEMENTS = 5;

export interface DocumentsReport {
  documents: DPEDocumentSummary[];
  total: number;
  /** How much was read. */
  walked: { documents: number; pages: number; elements: number };
  /** Files that no reader of the MCP server knows, by extension, as its catalogue counts them. */
  leftOut: Record<string, number>;
  findings: Finding[];
}

export async function checkDocuments(
  inspected: Inspected,
  { resources, templates }: PublishedByServer,
): Promise<DocumentsReport> {
  const problems: ResourceProblem[] = [];
  await inspected.computer.finder({ onProblem: found => problems.push(found) });
  const { documents, totalCount } = await inspected.documents();
  const walk = new Walk(inspected);
  const hosts = new Set(documents.map(({ uri }) => parseDpeUri(uri).host));
  for (const host of hosts) await walk.catalogue(host);
  for (const document of documents.slice(0, MAX_DOCUMENTS)) await walk.document(document);
  if (documents[0]) await walk.errors(documents[0]);
  const hasTemplates = ['{page_index}', '{element_id}'].every(variable =>
    templates.some(({ uriTemplate }) => uriTemplate.startsWith('dpe://') && uriTemplate.includes(variable)),
  );
  const isPublished = resources.some(({ uri }) => uri.startsWith('dpe://'));
  const found = problems.map(({ code, message, uri, fields }) =>
    broken(code, `${message} (${uri ?? fields?.host ?? `MCP server '${inspected.name}'`})`),
  );
  if (isPublished && !hasTemplates) found.push(broken('document-no-templates', 'Pages and elements have no templates'));
  return {
    documents,
    total: totalCount,
    walked: walk.walked,
    leftOut: walk.leftOut,
    findings: [...found, ...walk.findings],
  };
}

interface Schema<T> {
  safeParse(
    value: unknown,
  ): { success: true; data: T } | { success: false; error: Parameters<typeof describeProblem>[0] };
}

/** Reads documents level by level. */
class Walk {
  readonly findings: Finding[] = [];
  readonly walked = { documents: 0, pages: 0, elements: 0 };
  readonly leftOut: Record<string, number> = {};
  readonly #inspected: Inspected;

  constructor(inspected: Inspected) {
    this.#inspected = inspected;
  }

  async catalogue(host: string): Promise<void> {
    const catalogue = await this.#read(`dpe://${host}`, DPECatalog, 'document-catalogue');
    for (const [type, count] of Object.entries(catalogue?.left_out ?? {})) {
      if (typeof count === 'number') this.leftOut[type] = (this.leftOut[type] ?? 0) + count;
    }
  }

  async document({ uri, page_count }: DPEDocumentSummary): Promise<void> {
    this.walked.documents += 1;
    const document = await this.#read(uri, DPEDocument, 'document-level-1');
    if (document === undefined) return;
    if (page_count > 0 && document.page_count !== page_count) {
      const text = `'${uri}' is listed with ${page_count} pages and has ${document.page_count}`;
      this.#report('document-page-count', text);
    }
    await this.#pages(uri, document.page_count);
    const last = Math.min(document.page_count, MAX_PAGES);
    for (let index = 0; index < last; index += 1) await this.#page(uri, index);
  }

  /** Asks for things that do not exist. */
  async errors({ uri, page_count }: DPEDocumentSummary): Promise<void> {
    const { host } = parseDpeUri(uri);
    const missing: [address: string, code: number][] = [
      [`dpe://${host}/a2c-inspect-missing`, ErrorCode.DocumentNotFound],
      [`${uri}/pages/${page_count + 100_000}`, ErrorCode.PageOutOfRange],
      [`${uri}/elements/a2c-inspect-missing`, ErrorCode.ElementNotFound],
    ];
    for (const [address, expected] of missing) {
      const { code, body } = await this.#inspected.read(address);
      // MCP's own "not found" says the same: the Computer knows the level.
      if (code === expected || code === ErrorCode.NotFound || code === -32002 || code === -32602) continue;
      const got = body ? 'answered' : `refused with ${code}`;
      this.#report('document-error-codes', `'${address}', which does not exist, is ${got} instead of ${expected}`);
    }
  }

  async #pages(uri: string, count: number): Promise<void> {
    const document = await this.#read(`${uri}?depth=pages&offset=0&limit=1`, DPEDocument, 'document-pages');
    if (document === undefined) return;
    const { pages, page_total } = document;
    if (pages?.length !== Math.min(count, 1)) {
      this.#report('document-pages', `'${uri}?depth=pages&limit=1' has ${pages?.length ?? 'no'} pages`);
    } else if (page_total !== count) {
      this.#report('document-pages', `'${uri}?depth=pages' has page_total ${page_total} instead of ${count}`);
    }
  }

  async #page(uri: string, index: number): Promise<void> {
    const address = `${uri}/pages/${index}`;
    const page = await this.#read(address, DPEPage, 'document-page-invalid', 'document-page-missing');
    if (page === undefined) return;
    this.walked.pages += 1;
    const { elements } = page;
    if (page.page_index !== index || page.element_count !== elements.length) {
      const text = `'${address}' has page_index ${page.page_index} and element_count ${page.element_count}`;
      this.#report('document-page-invalid', `${text}, with ${elements.length} elements`);
    }
    if (index === 0) await this.#query(address, elements);
    for (const { element_id } of elements.slice(0, MAX_ELEMENTS)) await this.#element(uri, element_id);
  }

  async #query(address: string, elements: DPEPage['elements']): Promise<void> {
    const { body: rendered } = await this.#inspected.read(`${address}?format=markdown`);
    if (typeof rendered?.content_markdown !== 'string') {
      this.#report('document-format', `'${address}?format=markdown' has no content_markdown`);
    }
    const other = elements[0]?.category === 'video' ? 'audio' : 'video';
    const filtered = DPEPage.safeParse((await this.#inspected.read(`${address}?categories=${other}`)).body);
    if (filtered.success && filtered.data.elements.some(({ category }) => category !== other)) {
      this.#report('document-categories', `'${address}?categories=${other}' has elements of other categories`);
    }
  }

  async #element(uri: string, id: string): Promise<void> {
    const address = `${uri}/elements/${encodeURIComponent(id)}`;
    const element = await this.#read(address, DPEElementDetail, 'document-element-missing');
    if (element === undefined) return;
    this.walked.elements += 1;
    if (element.element_id !== id) {
      this.#report('document-element-missing', `'${address}' is the element '${element.element_id}'`);
    }
  }

  /** @param missing the code when there is no answer at all */
  async #read<T>(uri: string, schema: Schema<T>, invalid: string, missing = invalid): Promise<T | undefined> {
    const { body, reason = '' } = await this.#inspected.read(uri);
    if (body === undefined) {
      this.#report(missing, `'${uri}' cannot be read: ${reason}`);
      return undefined;
    }
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    this.#report(invalid, `'${uri}': ${describeProblem(parsed.error)}`);
    return undefined;
  }

  #report(code: string, text: string): void {
    this.findings.push(broken(code, text));
  }
}
