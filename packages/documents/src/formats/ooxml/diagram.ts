import type { Element } from '../../content/element.ts';
import { other } from '../../content/make.ts';
import { descendants, readOptionalXml, textOf } from './xml.ts';
import type { ZipPackage } from './zip.ts';

/** A drawing made of boxes with words in them, told by its words. */
export async function readDiagram(zip: ZipPackage, part: string): Promise<Element> {
  const words = descendants(await readOptionalXml(zip, part), 't')
    .map(textOf)
    .filter(Boolean);
  return { ...other('diagram', words.join(', ') || 'Diagram', { nodes: words }), identity: part };
}
