import type { Json } from '@a2c-smcp/core';
import { parseDpeUri } from '@a2c-smcp/protocol';
import type { OfficeAccess } from '../office-access.ts';
import type { OfficeAgent } from '../office-agent.ts';
import { readDocumentText, summaryLines } from '../resources/document-text.ts';
import { parseOfficeUri } from '../resources/office-uri.ts';
import { choiceArgument, numberArgument, textArgument } from './arguments.ts';
import { type BuiltInTool, builtInDefinition } from './built-in.ts';
import { errorResult, textResult } from './results.ts';

const FIND_TIMEOUT_MS = 20_000;
/** Documents of each Computer in one answer. */
const PAGE_SIZE = 20;
const MAX_QUERY_LENGTH = 1000;
const MAX_KEYWORDS = 20;
const FORMATS = ['markdown', 'text', 'json'] as const;

/** Searches the documents of one Computer or of all. */
export function findDocumentsTool(access: OfficeAccess): BuiltInTool {
  return {
    definition: builtInDefinition({
      name: 'find_documents',
      title: 'Find documents',
      description: 'Lists documents on the computers, with the URIs for read_document. Without a query, the newest.',
      properties: {
        query: { type: 'string', description: 'Words; a document matches when it has one of them.' },
        computer: { type: 'string', description: 'Only this computer. All of them by default.' },
        file_type: { type: 'string', description: 'As in pdf, xlsx, md.' },
        offset: { type: 'integer', minimum: 0, description: 'Skip so many documents of each computer.' },
      },
    }),
    run(args, signal) {
      return access.request(async agent => {
        const wanted = textArgument(args, 'computer');
        const computers = wanted === undefined ? access.computers(agent) : [access.computer(agent, wanted)];
        const finder = finderOf(args);
        const sections = await Promise.all(
          computers.map(computer => findOn(agent, computer, { ...finder, timeout: FIND_TIMEOUT_MS, signal })),
        );
        return textResult(sections.join('\n\n') || 'No computer is here at the moment.');
      });
    },
  };
}

/** Reads a document, one of its pages or one of its elements. */
export function readDocumentTool(access: OfficeAccess): BuiltInTool {
  return {
    definition: builtInDefinition({
      name: 'read_document',
      title: 'Read document',
      description:
        'Reads a document that find_documents listed. Without page and element: its facts and the list of its pages.',
      properties: {
        uri: { type: 'string', description: 'As find_documents shows it (a2c://… or dpe://…).' },
        computer: { type: 'string', description: 'Needed for dpe:// URIs when there are several computers.' },
        page: { type: 'integer', minimum: 0, description: 'This page; the first one is 0.' },
        element: { type: 'string', description: 'This element in full, by its id.' },
        format: { type: 'string', enum: [...FORMATS], description: 'markdown by default; json has the elements.' },
      },
      required: ['uri'],
    }),
    run(args, signal) {
      return access.request(async agent => {
        const raw = textArgument(args, 'uri') ?? '';
        const named = parseOfficeUri(raw);
        if (named && named.kind !== 'document') return errorResult(`'${raw}' is no document: use the tool 'desktop'`);
        const computer = access.computer(agent, named?.computer ?? textArgument(args, 'computer'));
        const { text } = await readDocumentText(agent, { computer, uri: addressOf(named?.uri ?? raw, args), signal });
        return textResult(text);
      });
    },
  };
}

function finderOf(args: Json) {
  const query = (textArgument(args, 'query') ?? '').slice(0, MAX_QUERY_LENGTH);
  const keywords = query.split(/\s+/).filter(word => word !== '');
  const fileType = textArgument(args, 'file_type');
  return {
    offset: numberArgument(args, 'offset') ?? 0,
    limit: PAGE_SIZE,
    ...(keywords.length > 0 && { keywords: keywords.slice(0, MAX_KEYWORDS) }),
    ...(fileType !== undefined && { fileType }),
  };
}

/** One Computer that fails must not hide the documents of the others. */
async function findOn(agent: OfficeAgent, computer: string, finder: Parameters<OfficeAgent['getFinder']>[1]) {
  const { offset = 0 } = finder ?? {};
  try {
    const { documents, totalCount } = await agent.getFinder(computer, finder);
    const next = offset + documents.length;
    const more = next < totalCount ? `; more with offset ${next}` : '';
    const head = `Computer '${computer}': ${totalCount} documents${more}`;
    return [head, ...documents.map(document => summaryLines(computer, document))].join('\n');
  } catch (error) {
    finder?.signal?.throwIfAborted();
    return `Computer '${computer}' could not be searched: ${error instanceof Error ? error.message : error}`;
  }
}

/** The `dpe://` URI that URI and arguments name together. */
function addressOf(uri: string, args: Json): string {
  parseDpeUri(uri);
  const page = numberArgument(args, 'page');
  const element = textArgument(args, 'element');
  const format = choiceArgument(args, 'format', FORMATS);
  const [address = '', query = ''] = uri.split('?', 2);
  const document = address.split('/').slice(0, 4).join('/');
  const place =
    element !== undefined
      ? `${document}/elements/${encodeURIComponent(element)}`
      : page !== undefined
        ? `${document}/pages/${page}`
        : address;
  const parameters = new URLSearchParams(query);
  if (format !== undefined) parameters.set('format', format);
  const text = parameters.toString();
  return text === '' ? place : `${place}?${text}`;
}
