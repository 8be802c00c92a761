import { child, children, val, type XmlNode } from '../ooxml/xml.ts';
import { type ListDefinition, type ListLevel, Numbering } from '../word/numbering.ts';

/** The lists of a document. */
export function readNumbering(root: XmlNode | undefined): Numbering {
  return new Numbering(readLists(root));
}

function readLists(root: XmlNode | undefined): Map<string, ListDefinition> {
  const definitions = children(root, 'abstractNum');
  const byId = new Map(definitions.map(node => [node.attributes['w:abstractNumId'], node]));
  /** A definition may only name a style, and the definition of that style has the levels. */
  const resolve = (node: XmlNode | undefined) => {
    const link = val(child(node, 'numStyleLink'));
    return link === undefined ? node : (definitions.find(other => val(child(other, 'styleLink')) === link) ?? node);
  };
  return new Map(
    children(root, 'num').map(node => {
      const definition = resolve(byId.get(val(child(node, 'abstractNumId'))));
      const levels = new Map(children(definition, 'lvl').map(readLevel));
      const overrides = new Map<number, number>();
      for (const override of children(node, 'lvlOverride')) {
        const start = val(child(override, 'startOverride'));
        if (start !== undefined) overrides.set(Number(override.attributes['w:ilvl'] ?? 0), integer(start, 1));
        for (const level of children(override, 'lvl')) levels.set(...readLevel(level));
      }
      const id = definition?.attributes['w:abstractNumId'] ?? '';
      return [node.attributes['w:numId'] ?? '', { id, levels, overrides }];
    }),
  );
}

function readLevel(node: XmlNode): [number, ListLevel] {
  const legal = child(node, 'isLgl');
  const restart = val(child(node, 'lvlRestart'));
  return [
    integer(node.attributes['w:ilvl'], 0),
    {
      format: val(child(node, 'numFmt')) ?? 'decimal',
      text: val(child(node, 'lvlText')) ?? '',
      start: integer(val(child(node, 'start')), 0),
      restart: restart === undefined ? undefined : integer(restart, 0),
      isLegal: legal !== undefined && !['0', 'false', 'off'].includes(val(legal) ?? ''),
      style: val(child(node, 'pStyle')),
    },
  ];
}

function integer(text: string | undefined, fallback: number): number {
  const value = Number(text);
  return text !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : fallback;
}
