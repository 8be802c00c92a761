import { child, children, descendants, textOf, type XmlNode } from '../ooxml/xml.ts';
import { whiteSpace } from './white-space.ts';

/** Classes of the frames at the edges of a slide, in the order in which they are shown. */
const kinds = ['date-time', 'footer', 'page-number'];
/** Elements in place of which each slide has its own text. */
const fieldNames = new Set(['date-time', 'footer', 'page-number', 'page-count']);
const MAX_CHARACTERS = 1000;
/** Of a frame. Those of a master page are put together for each slide. */
const MAX_PIECES = 100;

type Piece = string | { field: string };
type Frames = ReadonlyMap<string, readonly Piece[]>;

/** Date, footer and number of slides: master pages say where they stand, slides what they are and whether they are shown. */
export class SlideEdges {
  readonly #masters: ReadonlyMap<string, Frames>;
  readonly #pageStyles: ReadonlyMap<string, XmlNode['attributes']>;
  readonly #footers: ReadonlyMap<string, string>;
  readonly #dates: ReadonlyMap<string, string>;
  readonly #count: number;

  /** @param styles the part with the master pages */
  constructor(content: XmlNode, styles: XmlNode | undefined) {
    const presentation = child(content, 'body', 'presentation');
    this.#masters = new Map(
      children(child(styles, 'master-styles'), 'master-page').map(page => [
        page.attributes['style:name'] ?? '',
        framesOf(children(page)),
      ]),
    );
    this.#pageStyles = new Map(
      children(child(content, 'automatic-styles'), 'style').flatMap(style => {
        const properties = child(style, 'drawing-page-properties');
        return properties === undefined ? [] : [[style.attributes['style:name'] ?? '', properties.attributes]];
      }),
    );
    this.#footers = declared(children(presentation, 'footer-decl'));
    // A date that a program fills in is not in the file.
    const dates = children(presentation, 'date-time-decl');
    this.#dates = declared(dates.filter(({ attributes }) => attributes['presentation:source'] === 'fixed'));
    this.#count = children(presentation, 'page').length;
  }

  /** The texts of a slide, by its frames at the edges and those of its master page that it shows. */
  texts({ attributes }: XmlNode, shapes: readonly XmlNode[], number: number): string[] {
    const own = framesOf(shapes);
    const common = this.#masters.get(attributes['draw:master-page-name'] ?? '');
    const style = this.#pageStyles.get(attributes['draw:style-name'] ?? '');
    const hasCommon = style?.['presentation:background-objects-visible'] !== 'false';
    const values: Record<string, string | undefined> = {
      'date-time': this.#dates.get(attributes['presentation:use-date-time-name'] ?? ''),
      footer: this.#footers.get(attributes['presentation:use-footer-name'] ?? ''),
      'page-number': String(number),
      'page-count': String(this.#count),
    };
    return kinds
      .map(kind => {
        const isShown = hasCommon && style?.[`presentation:display-${kind}`] === 'true';
        const pieces = own.get(kind) ?? (isShown ? common?.get(kind) : undefined) ?? [];
        return tidy(pieces.map(piece => (typeof piece === 'string' ? piece : (values[piece.field] ?? ''))).join(''));
      })
      .filter(text => text !== '');
  }
}

/** True for date, footer and number of a slide. */
export function isEdge({ attributes }: XmlNode): boolean {
  return kinds.includes(attributes['presentation:class'] ?? '');
}

/** The first frame of each kind that has words. */
function framesOf(shapes: readonly XmlNode[]): Frames {
  const frames = new Map<string, readonly Piece[]>();
  for (const shape of shapes.filter(isEdge)) {
    const kind = shape.attributes['presentation:class'] ?? '';
    const pieces = descendants(shape, 'p').flatMap(paragraph => [...piecesOf(paragraph), ' ']);
    if (!frames.has(kind) && pieces.length > 0) frames.set(kind, pieces.slice(0, MAX_PIECES));
  }
  return frames;
}

function piecesOf(node: XmlNode): Piece[] {
  return node.children.flatMap((part): Piece[] => {
    if (typeof part === 'string') return [part.slice(0, MAX_CHARACTERS)];
    if (fieldNames.has(part.name)) return [{ field: part.name }];
    const space = whiteSpace(part);
    return space === undefined ? piecesOf(part) : [space];
  });
}

function declared(nodes: readonly XmlNode[]): Map<string, string> {
  return new Map(nodes.map(node => [node.attributes['presentation:name'] ?? '', tidy(textOf(node))]));
}

function tidy(text: string): string {
  return text.slice(0, MAX_CHARACTERS).replace(/\s+/g, ' ').trim();
}
