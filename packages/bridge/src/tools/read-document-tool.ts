import type { Json } from '@a2c-smcp/core';
import { parseDpeUri } from '@a2c-smcp/protocol';
import type { OfficeAccess } from '../office-access.ts';
import { readDocumentText } from '../resources/document-text.ts';
import { parseOfficeUri } from '../resources/office-uri.ts';
import { choiceArgument, numberArgument, textArgument } from './arguments.ts';
import { type BuiltInTool, builtInDefinition } from './built-in.ts';
import { errorResult, textResult } from './results.ts';

const FORMATS = ['markdown', 'text', 'json'] as const;

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
