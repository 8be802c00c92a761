import type { Logger } from '@a2c-smcp/core';
import { buildDpeUri, parseDpeUri } from '@a2c-smcp/protocol';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Changes } from './changes.ts';
import { complete } from './complete.ts';
import { toResource } from './describe.ts';
import type { ReadOptions } from './levels.ts';
import { type AnyServer, type Publication, publish } from './published-resources.ts';
import { readContents } from './read-contents.ts';
import { type DocumentInfo, type DocumentSource, listDocuments } from './source.ts';

/** Documents in one answer: some 300 kB of JSON at most, which fits the messages of an office. */
const LIST_PAGE_SIZE = 500;

export interface DocumentsOptions extends Pick<ReadOptions, 'language'> {
  /** The host of all URIs, in reverse-domain style as in `com.example.docs`. No other MCP server may use it. */
  host: string;
  /**
   * Declares that every change is announced with `changed`. Without it a Computer shows the documents only if its
   * configuration allows that. @default true
   */
  subscribe?: boolean | undefined;
  /** Gets unknown errors, whose details are then withheld. @default they go to the client, as in the SDK */
  logger?: Logger | undefined;
}

/** The published documents of one server. */
export interface Documents {
  /** Announces that documents with these references changed, or, without any, that documents came or went. */
  changed(...refs: string[]): void;
}

/**
 * Publishes documents of an MCP server: their list, four levels, templates, completion, errors and changes. Call it before
 * the server connects and before resources are registered.
 */
export function documents<D extends DocumentInfo>(
  server: AnyServer,
  source: DocumentSource<D>,
  { host, language, subscribe = true, logger }: DocumentsOptions,
): Documents {
  // Fails at once if the host cannot stand in a URI.
  const catalogue = buildDpeUri({ host });
  const changes = new Changes();
  const publication: Publication = {
    scheme: 'dpe',
    templates: templates(host),
    isLive: subscribe,
    owns: uri => isOfHost(uri, host),
    async list(cursor, options) {
      const offset = parseCursor(cursor);
      const { documents: listed, total } = await listDocuments(source, { offset, limit: LIST_PAGE_SIZE, ...options });
      const next = offset + listed.length;
      const resources = listed.map(info => toResource(info, host));
      return { resources, ...(listed.length > 0 && next < total && { nextCursor: String(next) }) };
    },
    read: (uri, options) => readContents(source, uri, { host, language, ...options }),
    complete: (argument, known) => complete(source, argument, known),
    concerns: (uri, updated) => concerns(uri, updated, catalogue),
    onChange: listener => changes.onChange(listener),
    flush: () => changes.flush(),
  };
  publish(server, publication, { logger });
  return {
    changed: (...refs) => {
      const updated = refs.map(docRef => buildDpeUri({ host, docRef }));
      changes.add({ listChanged: refs.length === 0, updated: [...updated, catalogue] });
    },
  };
}

/** A change of a document changes its pages and elements too, and every change changes the catalogue. */
function concerns(uri: string, updated: readonly string[], catalogue: string): boolean {
  const [address = ''] = uri.split('?', 1);
  if (address === catalogue || address === `${catalogue}/`) return true;
  return updated.some(
    document => document !== catalogue && (address === document || address.startsWith(`${document}/`)),
  );
}

function isOfHost(uri: string, host: string): boolean {
  try {
    return parseDpeUri(uri).host === host;
  } catch {
    // Of this host, but invalid: the read explains why.
    return uri.startsWith(`dpe://${host}/`) || uri.startsWith(`dpe://${host}?`);
  }
}

function templates(host: string): Publication['templates'] {
  const document = `dpe://${host}/{doc_ref}`;
  return [
    {
      uriTemplate: `${document}/pages/{page_index}`,
      name: 'page',
      title: 'A page of a document',
      description:
        'Pages count from 0. Add ?format=markdown to read it, ?categories=table,chart for some of its elements.',
      mimeType: 'application/json',
    },
    {
      uriTemplate: `${document}/elements/{element_id}`,
      name: 'element',
      title: 'An element of a document',
      description: 'In full, with where it stands in the file. Ids are on the pages.',
      mimeType: 'application/json',
    },
  ];
}

function parseCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,9}$/.test(cursor)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor');
  return Number(cursor);
}
