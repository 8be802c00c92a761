import type { Block } from '../../content/outline.ts';

/** What a browser does not show; a tag inside is not a tag. */
const invisible = new Set(['script', 'style', 'template', 'noscript', 'head', 'title', 'iframe', 'object', 'svg']);
/** What is one element, however long it is. */
const undivided = new Set(['table', 'ul', 'ol', 'pre', 'select', 'button', 'audio', 'video']);
const dividing = new Set(
  (
    'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form ' +
    'header html legend main nav p section summary'
  ).split(' '),
);
const pictures = new Set(['img', 'hr', 'input']);

/** The blocks of a page in HTML, found by looking for its tags; nothing is parsed. */
export function htmlBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  /** The last place where a paragraph could begin; nothing after a word of that paragraph. */
  let boundary: number | undefined = 0;
  const add = (block: Omit<Block, 'size'>) => {
    blocks.push({ ...block, size: 0 });
    boundary = undefined;
  };
  for (let at = 0; at < text.length; ) {
    const tag = nextTag(text, at);
    if (boundary !== undefined && isWords(text, at, tag.at)) add({ at: boundary });
    at = tag.end;
    const level = tag.closes ? undefined : /^h([1-6])$/.exec(tag.name)?.[1];
    if (level !== undefined) {
      const end = endOf(text, tag.name, tag.end);
      add({ at: tag.at, level: Number(level) });
      at = end;
      boundary = end;
    } else if (!tag.closes && undivided.has(tag.name)) {
      add({ at: tag.at });
      at = endOf(text, tag.name, tag.end);
      boundary = at;
    } else if (!tag.closes && invisible.has(tag.name)) at = endOf(text, tag.name, tag.end);
    else if (pictures.has(tag.name)) {
      add({ at: tag.at });
      boundary = tag.end;
    } else if (dividing.has(tag.name)) boundary = tag.closes ? tag.end : tag.at;
  }
  for (const [index, block] of blocks.entries()) block.size = (blocks[index + 1]?.at ?? text.length) - block.at;
  return blocks;
}

/** A tag, or the end of the text. */
interface Tag {
  at: number;
  end: number;
  name: string;
  closes: boolean;
}

const tagName = /<(\/?)([a-z][a-z0-9]*)/iy;

/** The next tag. Comments and declarations are tags without a name. */
function nextTag(text: string, from: number): Tag {
  for (let at = text.indexOf('<', from); at >= 0; at = text.indexOf('<', at + 1)) {
    if (text[at + 1] === '!' || text[at + 1] === '?') {
      const mark = text.startsWith('<!--', at) ? '-->' : '>';
      const end = text.indexOf(mark, at + 2);
      return { at, end: end < 0 ? text.length : end + mark.length, name: '', closes: false };
    }
    tagName.lastIndex = at;
    const match = tagName.exec(text);
    if (match?.[2] === undefined) continue;
    const end = text.indexOf('>', at);
    return {
      at,
      end: end < 0 ? text.length : end + 1,
      name: match[2].toLowerCase(),
      closes: match[1] === '/',
    };
  }
  return { at: text.length, end: text.length, name: '', closes: false };
}

/** The offset behind the closing tag that belongs to an opening one, or the end of the text. */
function endOf(text: string, name: string, from: number): number {
  const tags = new RegExp(`<(/?)${name}(?![a-z0-9])`, 'gi');
  tags.lastIndex = from;
  for (let depth = 1; depth > 0; ) {
    const match = tags.exec(text);
    if (match === null) return text.length;
    depth += match[1] === '/' ? -1 : 1;
  }
  const end = text.indexOf('>', tags.lastIndex);
  return end < 0 ? text.length : end + 1;
}

function isWords(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) > 0x20) return true;
  return false;
}
