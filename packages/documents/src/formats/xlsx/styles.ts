import { SSF } from '@e965/xlsx';
import type { Cell } from '../../content/element.ts';
import { child, children, readOptionalXml, type XmlNode } from '../ooxml/xml.ts';
import type { ZipPackage } from '../ooxml/zip.ts';

/** The part of SheetJS's formatter that is used here; the package leaves it untyped. */
interface Formatter {
  format(format: string | number, value: number, options: { date1904: boolean }): string;
  is_date(pattern: string): boolean;
  parse_date_code(
    value: number,
    options: { date1904: boolean },
  ): { y: number; m: number; d: number; H: number; M: number; S: number } | null;
  get_table(): Record<number, string>;
}
const formatter: Formatter = SSF;

/** The number formats of a workbook, by the style index that cells carry. */
export class NumberFormats {
  readonly #formats: readonly (string | number)[];
  readonly #date1904: boolean;

  private constructor(formats: readonly (string | number)[], date1904: boolean) {
    this.#formats = formats;
    this.#date1904 = date1904;
  }

  static async read(zip: ZipPackage, part: string | undefined, date1904: boolean): Promise<NumberFormats> {
    const root = await readOptionalXml(zip, part);
    const own = new Map(children(child(root, 'numFmts'), 'numFmt').map(({ attributes }) => ownFormat(attributes)));
    const formats = children(child(root, 'cellXfs'), 'xf').map(xf => own.get(formatId(xf)) ?? formatId(xf));
    return new NumberFormats(formats, date1904);
  }

  /** A number the way its cell shows it; a date becomes an ISO 8601 string. */
  apply(value: number, style: number): Cell {
    const format = this.#formats[style] ?? 0;
    if (format === 0 || format === 'General' || !Number.isFinite(value)) return value;
    const text = this.#format(format, value);
    if (text === undefined) return value;
    const iso = formatter.is_date(patternOf(format)) ? this.#isoDate(value) : undefined;
    if (iso !== undefined) return { value: iso, text };
    return text === String(value) ? value : { value, text };
  }

  /** The pattern of a style, as in `0.0%`, or nothing for the general one. */
  pattern(style: number): string | undefined {
    const pattern = patternOf(this.#formats[style] ?? 0);
    return pattern === 'General' ? undefined : pattern;
  }

  /** A pattern that cannot be applied leaves the number as it is. */
  #format(format: string | number, value: number): string | undefined {
    try {
      return formatter.format(format, value, { date1904: this.#date1904 }).trim();
    } catch {
      return undefined;
    }
  }

  #isoDate(value: number): string | undefined {
    const date = formatter.parse_date_code(value, { date1904: this.#date1904 });
    if (!date) return undefined;
    const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
    const day = `${String(date.y).padStart(4, '0')}-${two(date.m)}-${two(date.d)}`;
    const time = `${two(date.H)}:${two(date.M)}:${two(date.S)}`;
    if (value < 1) return time;
    return time === '00:00:00' ? day : `${day}T${time}`;
  }
}

function ownFormat({ numFmtId, formatCode }: Record<string, string>): [number, string] {
  return [Number(numFmtId), formatCode ?? 'General'];
}

function formatId(xf: XmlNode): number {
  return Number(xf.attributes.numFmtId ?? 0);
}

function patternOf(format: string | number): string {
  return typeof format === 'string' ? format : (formatter.get_table()[format] ?? 'General');
}
