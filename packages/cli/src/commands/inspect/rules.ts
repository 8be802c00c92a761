import type { Finding, Severity } from '../finding.ts';

interface Rule {
  severity: Exclude<Severity, 'ok'>;
  remedy: string;
}

const problem = (remedy: string): Rule => ({ severity: 'problem', remedy });
const warning = (remedy: string): Rule => ({ severity: 'warning', remedy });

/** Everything that `a2c inspect` may find, by its code. The Computer reports those of windows and documents itself. */
const rules: Record<string, Rule> = {
  'mcp-failed': problem('Start the command in a terminal to see what it prints'),
  'tool-name': warning('Use at most 64 letters, digits, _ and -: models refuse others'),
  'tool-no-description': warning('Write one or two sentences: a model chooses tools by them'),
  'tool-schema': problem("Declare an 'inputSchema' of type 'object'"),
  'tools-heavy': warning('Shorten descriptions and schemas, or offer fewer tools: a model reads all of them each time'),
  'resource-duplicate': problem('List each URI once'),
  'resource-no-name': warning("Give each resource a 'name'"),
  'list-no-changed': warning("Declare 'resources.listChanged', and send it when windows or documents come or go"),
  'host-style': warning('Use a host in reverse-domain style, like com.example.app'),
  'window-no-subscribe': problem("Declare 'resources.subscribe' and answer resources/subscribe"),
  'window-uri-invalid': problem('Write it as window://host/path, each segment percent-encoded'),
  'window-uri-query': warning("Leave the query out; 'annotations' and '_meta' have the metadata"),
  'window-annotations': warning("Make 'annotations' an object"),
  'window-priority-range': warning('Use a number from 0 to 1'),
  'window-priority-default': warning('Give the windows different priorities from 0 to 1, so that their order is yours'),
  'window-fullscreen': warning("Set '_meta.fullscreen' to true or false"),
  'window-fullscreen-several': warning('Only the first in the list is shown: make one fullscreen'),
  'window-audience': warning("Declare the audience ['assistant']"),
  'window-modified': warning('Write lastModified in ISO 8601'),
  'window-binary': warning('Publish text: binary content is not shown'),
  'window-unreadable': problem('Answer resources/read within 5 s'),
  'window-no-text': problem('Answer resources/read with text'),
  'window-host-new': warning('Accept the host'),
  'windows-too-many': problem('Publish fewer or shorter windows'),
  'window-long': warning('Shorten it: a model reads the whole text after every change'),
  'window-html': warning('Publish plain text or Markdown instead of HTML'),
  'window-stale': problem('Send notifications/resources/updated with its URI whenever the text changes'),
  'change-unseen': warning('Check that the tool changes a window or a document, and that the change is announced'),
  'document-no-subscribe': problem("Declare 'resources.subscribe' and answer resources/subscribe"),
  'document-uri-invalid': problem('Write it as dpe://host/document, the reference percent-encoded'),
  'document-unreadable': problem('Answer resources/read of the document (Level 1) with JSON'),
  'document-shadowed': problem('Use a host of your own'),
  'documents-too-many': problem('Shorten what is said of the documents'),
  'adopted-none': warning(
    "Compare the pattern with the URIs that 'a2c agent resources' lists; * stands for any characters",
  ),
  'adopted-too-many': warning("Use narrower patterns in 'documents'"),
  'document-page-count': problem("Give 'page_count', in _meta of the list entry or at Level 1"),
  'document-no-templates': warning('Declare templates for pages/{page_index} and elements/{element_id}'),
  'document-catalogue': problem("Answer dpe://host (Level 0) with 'documents' and 'total_count'"),
  'document-level-1': problem(
    "Answer with the fields of a document: 'doc_ref', 'title', 'page_count' and what else is known",
  ),
  'document-pages': problem("Answer ?depth=pages with 'pages' from 'offset' on, at most 'limit'"),
  'document-page-missing': problem('Answer every page from 0 to page_count - 1'),
  'document-page-invalid': problem("Answer with the fields of a page: 'page_index', 'elements' and 'element_count'"),
  'document-format': problem("Add 'content_markdown' for ?format=markdown"),
  'document-categories': problem("Return only elements of the 'categories' of the query"),
  'document-element-missing': problem('Answer the address of each element that a page names'),
  'document-error-codes': problem('Fail with 4201 for an unknown document, 4202 for a page and 4203 for an element'),
};

/** All codes, for the documentation. */
export const inspectCodes = Object.keys(rules);

/** A finding by the rule of its code. */
export function broken(code: string, text: string, details: string[] = []): Finding {
  const { severity, remedy } = rules[code] ?? warning('Correct the MCP server');
  return { code, severity, text, remedy, ...(details.length > 0 && { details }) };
}
