import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { readBytes } from './reading.ts';

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const archive = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, content]) => [name, strToU8(content)])));

test('a pptx under the name of a ppt is read', async () => {
  const slide =
    '<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>Beans</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>';
  const bytes = archive({
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="${relations}"><p:sldIdLst><p:sldId id="1" r:id="a"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships><Relationship Id="a" Type="${relations}/slide" Target="slides/a.xml"/></Relationships>`,
    'ppt/slides/a.xml': slide,
  });
  expect((await readBytes('a.ppt', bytes)).markdown).toBe('Beans');
});
