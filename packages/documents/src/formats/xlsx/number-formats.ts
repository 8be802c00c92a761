import type { Cell } from '@a2c-smcp/publish/content';
import { SSF } from '@e965/xlsx';
import type { Package } from '../ooxml/package.ts';
import { child, children, readOptionalXml, type XmlNode } from '../ooxml/xml.ts';

/** The last day of the year 9999. */
const LAST_DAY = 2_958_465;
const DAY_MS = 86_400_000;

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

  /** A single format, as the style 0. */
  static of(format: string | number | undefined, date1904: boolean): NumberFormats {
    return new NumberFormats([format ?? 0], date1904);
  }

  static async read(zip: Package, part: string | undefined, date1904: boolean): Promise<NumberFormats> {
    const root = await readOptionalXml(zip, part);
    const own = new Map(children(child(root, 'numFmts'), 'numFmt').map(({ attributes }) => ownFormat(attributes)));
    const formats = children(child(root, 'cellXfs'), 'xf').map(xf => own.get(formatId(xf)) ?? formatId(xf));
    return new NumberFormats(formats, date1904);
  }

  /** A number the way its cell shows it; a date becomes an ISO 8601 string. */
  apply(value: number, style: number): Cell {
    const format = this.#formats[style] ?? 0;
    if (!Number.isFinite(value)) return value;
    if (patternOf(format) === 'General') return this.#general(value);
    const text = this.#format(format, value);
    if (text === undefined) return value;
    const iso = formatter.is_date(patternOf(format)) ? this.#isoDate(value) : undefined;
    // The formatter has no text for days after the year 9999.
    if (iso !== undefined && text === '') return iso;
    if (iso !== undefined) return { value: iso, text: isLocale(format) ? iso.replace('T', ' ') : text };
    return text === String(value) ? value : { value, text };
  }

  /**
   * Shows the 15 digits that Excel computes with. Excel itself shows as many as fit into the cell, at most ten of a fraction,
   * so that 4018.99999998843 would be 4019.
   */
  #general(value: number): Cell {
    if (Number.isInteger(value)) return value;
    const exact = Number(value.toPrecision(15));
    const plain = String(exact);
    // As Excel writes it, with two digits at least: 5.26E-07.
    const text = plain.replace(/e([+-])(\d+)$/, (_, sign, power) => `E${sign}${power.padStart(2, '0')}`);
    return text === plain ? exact : { value: exact, text };
  }

  /** The pattern of a style, as in `0.0%`, or undefined for the general one. */
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
    if (!date) return value > LAST_DAY ? lateDate(value, this.#date1904) : undefined;
    const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
    const day = `${String(date.y).padStart(4, '0')}-${two(date.m)}-${two(date.d)}`;
    const time = `${two(date.H)}:${two(date.M)}:${two(date.S)}`;
    if (value < 1) return time;
    return time === '00:00:00' ? day : `${day}T${time}`;
  }
}

/** A day after the year 9999, as in `10099-01-01`; undefined if it is beyond all calendars. */
function lateDate(value: number, date1904: boolean): string | undefined {
  const first = date1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const day = new Date(first + Math.floor(value) * DAY_MS);
  return Number.isNaN(day.getTime())
    ? undefined
    : day.toISOString().replace(/^\+0*/, '').slice(0, -'T00:00:00.000Z'.length);
}

/** True if a date is shown as the machine is set up, so that the file alone does not say which number is the month. */
function isLocale(format: string | number): boolean {
  if (typeof format === 'string') return /\[\$-(?:F800|x-sysdate)\]/i.test(format);
  return format === 14 || format === 22 || (format >= 27 && format <= 31) || (format >= 50 && format <= 58);
}

function ownFormat({ numFmtId, formatCode }: Record<string, string>): [number, string] {
  return [Number(numFmtId), formatCode || 'General'];
}

function formatId(xf: XmlNode): number {
  return Number(xf.attributes.numFmtId ?? 0);
}

function patternOf(format: string | number): string {
  const pattern = typeof format === 'string' ? format : (formatter.get_table()[format] ?? 'General');
  // Some programs write it in capitals.
  return pattern.toLowerCase() === 'general' ? 'General' : pattern;
}
