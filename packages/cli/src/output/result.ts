import { authHintOf, type CallToolResult, errorCodeOf } from '@a2c-smcp/protocol';
import { attachmentOf, type Block } from './attachments.ts';
import { explanationOf } from './error-codes.ts';
import { prettyJson } from './json.ts';
import { sizeText } from './size.ts';
import { briefLine, safeText } from './table.ts';

const MAX_MIME_TYPE_LENGTH = 100;
const MAX_NAME_LENGTH = 200;

/** The hint of commands with the option `--save`. */
export const SAVE_HINT = '--save DIR writes it to a file';

export interface ResultOptions {
  /** The paths of attachments that were written to files. */
  saved?: ReadonlyMap<Block, string> | undefined;
  /** The advice for bytes, which are not shown. */
  hint?: string;
}

/** A result as lines for a person. Attachments are shown as their kind and size, texts as they are. */
export function resultLines(result: CallToolResult, options: ResultOptions = {}): string[] {
  const lines = blockLines(result.content, options);
  const isBare = lines.length === 0 && result.structuredContent !== undefined;
  const hint = authHintOf(result);
  const code = errorCodeOf(result);
  return [
    ...(isBare ? [prettyJson(result.structuredContent)] : lines),
    ...(hint === undefined ? [] : [safeText(hint)]),
    ...(code === undefined ? [] : [`error ${code}: ${explanationOf(code)}`]),
  ];
}

/** Blocks of a result as lines for a person. */
export function blockLines(blocks: readonly Block[], { saved, hint }: ResultOptions = {}): string[] {
  return blocks.map(block => {
    if (typeof block.text === 'string') return safeText(block.text);
    const attachment = attachmentOf(block);
    const path = saved?.get(block);
    if (attachment?.isText && path === undefined) return safeText(attachment.bytes.toString());
    if (attachment) {
      const { kind, mimeType, bytes } = attachment;
      const facts = `${kind} ${shortType(mimeType)}, ${sizeText(bytes.length)}`;
      const rest = path === undefined ? hint : `saved as ${path}`;
      return rest === undefined ? `[${facts}]` : `[${facts}: ${rest}]`;
    }
    return typeof block.uri === 'string' ? linkText(block, block.uri) : safeText(JSON.stringify(block));
  });
}

/** A link to a resource with what the MCP server says about it. */
function linkText({ name, mimeType }: Block, uri: string): string {
  const facts = [
    typeof name === 'string' ? briefLine(name, MAX_NAME_LENGTH) : '',
    typeof mimeType === 'string' ? shortType(mimeType) : '',
  ].filter(Boolean);
  return `[link ${facts.length > 0 ? `${facts.join(', ')}: ` : ''}${safeText(uri)}]`;
}

function shortType(mimeType: string): string {
  return briefLine(mimeType, MAX_MIME_TYPE_LENGTH);
}
