import { ErrorCode, parseDpeUri, SmcpError } from '@a2c-smcp/protocol';
import { ProtocolError } from '@modelcontextprotocol/server';

/** The four errors of the Finder inside this package, where references and ids are known already. */
export const notFound = {
  document: (docRef: string) =>
    new SmcpError(ErrorCode.DocumentNotFound, `No document '${docRef}'`, { details: { doc_ref: docRef } }),
  page: (docRef: string, index: number, pageCount: number) => {
    const pages = `${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`;
    const details = { doc_ref: docRef, page_index: index, page_count: pageCount };
    return new SmcpError(ErrorCode.PageOutOfRange, `No page ${index}: '${docRef}' has ${pages}`, { details });
  },
  element: (docRef: string, id: string) => {
    const details = { doc_ref: docRef, element_id: id };
    return new SmcpError(ErrorCode.ElementNotFound, `No element '${id}' in '${docRef}'`, { details });
  },
};

/** The four errors of the Finder, for MCP servers that answer `resources/read` of `dpe://` URIs themselves. */
export const finderError = {
  /** 4201. */
  documentNotFound: (uri: string): ProtocolError =>
    toProtocolError(uri, ({ docRef = uri }) => notFound.document(docRef)),
  /** 4202. */
  pageOutOfRange: (uri: string, pageCount: number): ProtocolError =>
    toProtocolError(uri, ({ docRef = uri, page = 0 }) => notFound.page(docRef, page, pageCount)),
  /** 4203. */
  elementNotFound: (uri: string): ProtocolError =>
    toProtocolError(uri, ({ docRef = uri, element = uri }) => notFound.element(docRef, element)),
  /** 4204. */
  invalidUri: (uri: string): ProtocolError => {
    const invalid = () => new SmcpError(ErrorCode.InvalidDpeUri, `Invalid DPE URI '${uri}'`, { details: { uri } });
    return toProtocolError(uri, invalid);
  },
};

/** A URI that cannot be parsed is reported as such, whichever error was meant. */
function toProtocolError(uri: string, make: (parts: ReturnType<typeof parseDpeUri>) => SmcpError): ProtocolError {
  try {
    const { code, message, details } = make(parseDpeUri(uri));
    return new ProtocolError(code, message, details);
  } catch (error) {
    if (!(error instanceof SmcpError)) throw error;
    return new ProtocolError(error.code, error.message, error.details);
  }
}
