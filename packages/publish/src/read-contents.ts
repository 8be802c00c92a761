import type { DPEElementDetail } from '@a2c-smcp/protocol';
import type { ReadResourceResult } from '@modelcontextprotocol/server';
import { checkedText } from './answer-size.ts';
import { answer, type ReadOptions } from './levels.ts';
import type { DocumentInfo, DocumentSource } from './source.ts';

/** The contents of a `dpe://` URI of any level, as `resources/read` answers them. Throws `SmcpError` with one of the Finder's codes. */
export async function readContents<D extends DocumentInfo>(
  source: DocumentSource<D>,
  uri: string,
  options: ReadOptions,
): Promise<ReadResourceResult['contents']> {
  const { body, opened } = await answer(source, uri, options);
  const text = { uri, mimeType: 'application/json', text: checkedText(JSON.stringify(body)) };
  const picture = await opened?.picture?.(body as DPEElementDetail);
  if (picture === undefined) return [text];
  return [text, { uri, mimeType: picture.mimeType, blob: Buffer.from(picture.bytes).toString('base64') }];
}
