import { applyEdits, findNodeAtLocation, type JSONPath, modify, type Node, parseTree } from 'jsonc-parser';

/** A value to be written at a path; undefined removes what is there. */
export interface Change {
  path: JSONPath;
  value: unknown;
}

/** Changes JSON with comments as a person would: keeps comments, and the formatting of all lines but those it adds. */
export function changeText(text: string, { path, value }: Change): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (value === undefined) return remove(text, path, root && findNodeAtLocation(root, path)?.parent);
  const parent = root && innermost(text, root, path);
  if (parent) return append(text, parent, value);
  return applyEdits(text, modify(text, path, value, { formattingOptions: { ...indentation(text), eol: '\n' } }));
}

/** Without formatting, which would touch the neighbours. @param field what the path leads to, with its name */
function remove(text: string, path: JSONPath, field: Node | undefined): string {
  const [first, second] = field?.parent?.children ?? [];
  // The library would also remove the line break before the first field.
  if (field && field === first && second) return text.slice(0, first.offset) + text.slice(second.offset);
  return applyEdits(text, modify(text, path, undefined, {}));
}

interface Parent {
  /** The last of the fields or items, after which the new one is written. */
  last: Node;
  /** The missing rest of the path, from the new field or item on. */
  missing: JSONPath;
  isArray: boolean;
  /** True if the whole object or array is on one line. */
  isOneLine: boolean;
}

/** Where a path ends in what is there; undefined when it exists, or ends in something empty. */
function innermost(text: string, root: Node, path: JSONPath): Parent | undefined {
  if (findNodeAtLocation(root, path)) return undefined;
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const node = depth === 0 ? root : findNodeAtLocation(root, path.slice(0, depth));
    const last = node?.children?.at(-1);
    if (node && !last) return undefined;
    if (!node || !last) continue;
    const isOneLine = !text.slice(node.offset, node.offset + node.length).includes('\n');
    return { last, missing: path.slice(depth), isArray: node.type === 'array', isOneLine };
  }
  return undefined;
}

function append(text: string, { last, missing: [key, ...deeper], isArray, isOneLine }: Parent, value: unknown): string {
  const nested = deeper.reduceRight(
    (inner, field) => (typeof field === 'number' ? [inner] : { [field]: inner }),
    value,
  );
  const label = isArray ? '' : `${JSON.stringify(key)}: `;
  const end = last.offset + last.length;
  if (isOneLine) {
    const inline = JSON.stringify(nested, null, 1).replace(/\n\s*/g, ' ');
    return `${text.slice(0, end)}, ${label}${inline}${text.slice(end)}`;
  }
  // A comma and a comment after the last one stay with it.
  const [rest = ''] = /^[ \t]*,?[ \t]*(?:\/\/[^\n]*)?/.exec(text.slice(end)) ?? [];
  const hasComma = rest.trimStart().startsWith(',');
  const { insertSpaces, tabSize } = indentation(text);
  const [indent = ''] = /[ \t]*$/.exec(text.slice(0, last.offset).split('\n').at(-1) ?? '') ?? [];
  const lines = JSON.stringify(nested, null, insertSpaces ? tabSize : '\t').replaceAll('\n', `\n${indent}`);
  const before = `${text.slice(0, end)}${hasComma ? '' : ','}${rest}`;
  return `${before}\n${indent}${label}${lines}${hasComma ? ',' : ''}${text.slice(end + rest.length)}`;
}

function indentation(text: string): { insertSpaces: boolean; tabSize: number } {
  const [, indent = '  '] = /^([\t ]+)\S/m.exec(text) ?? [];
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : indent.length };
}
