import { type Element, image } from '@a2c-smcp/publish/content';

const TWIPS_PER_POINT = 20;

/** Kinds of pictures that are handed over as they are stored. */
const mimeTypes = new Map([
  ['pngblip', 'image/png'],
  ['jpegblip', 'image/jpeg'],
]);

/** The pictures of an RTF document, in their order. The bytes of one are kept, if it is asked for. */
export class PictureCollector {
  readonly #wanted: number | undefined;
  readonly #parts: Uint8Array[] = [];
  #count = 0;
  #isOpen = false;
  #mimeType: string | undefined;
  #width = 0;
  #height = 0;
  #alt = '';

  constructor(wanted: number | undefined) {
    this.#wanted = wanted;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The bytes of the picture that was asked for. */
  get bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  begin(): void {
    this.#isOpen = true;
    this.#count += 1;
    this.#mimeType = undefined;
    [this.#width, this.#height] = [0, 0];
  }

  /** A word inside of a picture. */
  word(name: string, value = 0): void {
    if (!this.#isOpen) return;
    this.#mimeType ??= mimeTypes.get(name);
    if (name === 'picwgoal') this.#width = value;
    if (name === 'pichgoal') this.#height = value;
  }

  /** A property of a picture or of the shape around it. */
  property(name: string, value: string): void {
    if (name === 'wzDescription') this.#alt = value;
  }

  /** Bytes written as hexadecimal digits. */
  hex(digits: Uint8Array): void {
    if (this.#isWanted) this.#parts.push(Buffer.from(Buffer.from(digits).toString('latin1').replace(/\s/g, ''), 'hex'));
  }

  binary(bytes: Uint8Array): void {
    if (this.#isWanted) this.#parts.push(bytes);
  }

  end(): Element {
    this.#isOpen = false;
    const size = [this.#width, this.#height].map(twips => Math.round(twips / TWIPS_PER_POINT)).join(' by ');
    const name = this.#alt || `Picture ${this.#count}${this.#width > 0 ? `, ${size} points` : ''}`;
    this.#alt = '';
    return {
      ...image(name),
      identity: `${this.#count}`,
      ...(this.#mimeType && { metadata: { part: String(this.#count) } }),
    };
  }

  get #isWanted(): boolean {
    return this.#isOpen && this.#count === this.#wanted;
  }
}
