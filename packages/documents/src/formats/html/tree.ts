import { Parser } from 'htmlparser2';

/** A text, which has `data`, or an element. The root is an element without a name. */
export interface HtmlNode {
  data?: string;
  name?: string;
  attribs?: Record<string, string>;
  children?: HtmlNode[];
}

/** Parses HTML into elements and texts; comments and declarations are left out. */
export function parseTree(text: string): HtmlNode {
  const root: HtmlNode = { children: [] };
  const open: HtmlNode[] = [];
  let children = root.children;
  const parser = new Parser({
    onopentag(name, attribs) {
      const node: HtmlNode = { name, attribs, children: [] };
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
  parser.end(text);
  return root;
}
