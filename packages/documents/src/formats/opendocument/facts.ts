import { meantFacts } from '../facts.ts';
import type { Package } from '../ooxml/package.ts';
import { child, children, readOptionalXml, textOf } from '../ooxml/xml.ts';
import type { DocumentFacts } from '../reader.ts';

/** Title, keywords and description of an OpenDocument file. */
export async function readFacts(zip: Package): Promise<DocumentFacts> {
  const meta = child(await readOptionalXml(zip, 'meta.xml'), 'meta');
  const title = textOf(child(meta, 'title'));
  const summary = textOf(child(meta, 'description')) || textOf(child(meta, 'subject'));
  return meantFacts({ title, summary, keywords: children(meta, 'keyword').map(textOf) });
}
