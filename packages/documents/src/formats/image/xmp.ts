import { descendants, parseXml, textOf, type XmlNode } from '../ooxml/xml.ts';
import { isoDate, tidy } from './exif.ts';
import { type ImageFacts, noFacts } from './parts.ts';

const MAX_NODES = 5000;

/** The facts in the XML that Adobe's programs and many others write. Malformed packets have none. */
export function xmpFacts(bytes: Buffer): ImageFacts {
  let root: XmlNode;
  try {
    // The packet is padded with blanks, or NULs, so that programs can change it in place.
    root = parseXml(bytes.toString('utf8').replace(/[\0\s]+$/, ''), 'xmp');
  } catch {
    return noFacts;
  }
  const descriptions = descendants(root, 'Description').slice(0, MAX_NODES);
  // A property is an element, or an attribute of the description that it belongs to.
  const property = (name: string, prefixed: string) =>
    tidy(
      firstText(descendants(root, name)[0]) ||
        (descriptions.find(({ attributes }) => attributes[prefixed])?.attributes[prefixed] ?? ''),
    );
  const texts = (name: string) => descendants(descendants(root, name)[0], 'li').map(item => tidy(textOf(item)));
  return {
    title: property('title', 'dc:title') || property('Headline', 'photoshop:Headline'),
    description: property('description', 'dc:description'),
    keywords: texts('subject'),
    author: texts('creator').join(', '),
    copyright: property('rights', 'dc:rights'),
    taken: isoDate(property('DateTimeOriginal', 'exif:DateTimeOriginal') || property('CreateDate', 'xmp:CreateDate')),
    camera: '',
  };
}

/** The first of several languages. */
function firstText(node: XmlNode | undefined): string {
  return textOf(descendants(node, 'li')[0] ?? node);
}
