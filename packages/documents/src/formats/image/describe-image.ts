import { bufferReader } from './byte-reader.ts';
import { exifFacts, exifTags, tidy } from './exif.ts';
import { iptcFacts } from './iptc.ts';
import { type ImageFacts, type ImageParts, noFacts } from './parts.ts';
import { Tiff, type TiffTags } from './tiff.ts';
import { xmpFacts } from './xmp.ts';

/** A picture with all that its metadata says. Where several say the same, those that people write come first. */
export interface DescribedImage extends ImageFacts {
  /** Pixels, as the picture is shown. */
  width?: number;
  height?: number;
  pictures?: number;
  /** Further texts, by name. */
  texts: [name: string, text: string][];
}

export async function describeImage(parts: ImageParts & { tags?: TiffTags }): Promise<DescribedImage> {
  const { width, height, pictures, exif, xmp, iptc, texts } = parts;
  const tags = parts.tags ?? (exif && (await Tiff.read(bufferReader(exif), exifTags))?.tags);
  const shot = tags === undefined ? undefined : exifFacts(tags);
  const named = textFacts(texts);
  const known = [xmp && xmpFacts(xmp), iptc && iptcFacts(iptc), shot, named.facts].filter(facts => facts !== undefined);
  const first = (name: Exclude<keyof ImageFacts, 'keywords'>) =>
    known.map(facts => facts[name]).find(text => text !== '') ?? '';
  const size =
    width === undefined || height === undefined ? {} : shot?.isTurned ? turned(width, height) : { width, height };
  return {
    ...size,
    ...(pictures !== undefined && { pictures }),
    title: first('title'),
    description: first('description'),
    keywords: [...new Set(known.flatMap(({ keywords }) => keywords.map(tidy)).filter(Boolean))],
    author: first('author'),
    copyright: first('copyright'),
    taken: first('taken'),
    camera: first('camera'),
    texts: named.others,
  };
}

function turned(width: number, height: number) {
  return { width: height, height: width };
}

/** Texts under the names that the standard of PNG has for them. Dates that programs write tell nothing of the picture. */
const textNames: Record<string, Exclude<keyof ImageFacts, 'keywords'>> = {
  Title: 'title',
  Description: 'description',
  Author: 'author',
  Copyright: 'copyright',
};
const noise = /^(?:date:|exif:|png:|tiff:|xmp:|icc:|Software$|Creation Time$|Raw profile|Thumb::)/;

function textFacts(texts: ImageParts['texts']): { facts: ImageFacts; others: ImageParts['texts'] } {
  const facts = { ...noFacts };
  const others: ImageParts['texts'] = [];
  for (const [name, text] of texts) {
    const known = textNames[name];
    if (known !== undefined && facts[known] === '') facts[known] = text.trim();
    else if (text.trim() !== '' && !noise.test(name)) others.push([name, text.trim()]);
  }
  return { facts, others };
}
