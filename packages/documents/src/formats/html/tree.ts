import { Parser } from 'htmlparser2';

/** A text, which has `data`, or an element. The root is an element without a name. */
export interface HtmlNode {
  data?: string;
  name?: string;
  attribs?: Record<string, string>;
  children?: HtmlNode[];
}

export interface HtmlTree {
  root: HtmlNode;
  /** All `head`, `title`, `meta` and `body` elements, in order. */
  landmarks: HtmlNode[];
}

const landmarkNames = new Set(['head', 'title', 'meta', 'body']);

/** Ends the parser, which cannot be stopped from a callback otherwise. */
class TooDeepError extends Error {
  override readonly name = 'TooDeepError';
}

/**
 * Parses HTML into elements and texts; comments and declarations are left out. Returns undefined as soon as elements are
 * nested deeper than `maxDepth`.
 */
export function parseTree(text: string, maxDepth: number): HtmlTree | undefined {
  const root: HtmlNode = { children: [] };
  const landmarks: HtmlNode[] = [];
  const open: HtmlNode[] = [];
  let children = root.children;
  const parser = new Parser({
    onopentag(name, attribs) {
      if (open.length >= maxDepth) throw new TooDeepError();
      const node: HtmlNode = { name, attribs, children: [] };
      if (landmarkNames.has(name)) landmarks.push(node);
      children?.push(node);
      open.push(node);
      children = node.children;
    },
    ontext(data) {
      const last = children?.at(-1);
      if (last?.data !== undefined) last.data += data;
      else children?.push({ data });
    },
    onclosetag() {
      open.pop();
      children = (open.at(-1) ?? root).children;
    },
  });
  try {
    parser.end(text);
  } catch (error) {
    if (error instanceof TooDeepError) return undefined;
    throw error;
  }
  return { root, landmarks };
}
