import type { Element } from '@a2c-smcp/publish/content';
import * as make from '@a2c-smcp/publish/content';
import { UnreadableError } from '../../file.ts';
import type { DocumentFacts } from '../reader.ts';
import { codePageOf, decodeCodePage, SYMBOL_CHARSET } from '../word/code-pages.ts';
import { RtfBody, tidy } from './body.ts';
import { type Group, innerGroup, type ParagraphState, plainGroup, plainParagraph, type Sink } from './group.ts';
import { defineNumbering, noNumbering } from './old-numbering.ts';
import { PictureCollector } from './picture.ts';
import { Styles } from './styles.ts';
import { type RtfToken, rtfTokens } from './tokens.ts';
import { characters, skipped, transparent } from './words.ts';

const MAX_DEPTH = 2000;

/** An RTF document that was read. */
export interface RtfContent {
  facts: DocumentFacts;
  elements: Element[];
  /** The bytes of the picture that was asked for; empty without one. */
  picture: Buffer;
}

/** Reads an RTF document; with `picture`, also the bytes of the picture with this number, from 1. */
export function readRtf(bytes: Uint8Array, { picture }: { picture?: number } = {}): RtfContent {
  return new RtfReader(picture).read(bytes);
}

class RtfReader {
  readonly #styles = new Styles();
  readonly #body = new RtfBody(this.#styles);
  readonly #fonts = new Map<number, { charset?: number; page?: number }>();
  readonly #facts = { title: { text: '' }, subject: { text: '' }, keywords: { text: '' } };
  readonly #edges = { header: new Set<string>(), footer: new Set<string>() };
  readonly #pictures: PictureCollector;
  readonly #groups: Group[] = [];
  #group: Group = plainGroup(this.#body.sink);
  #codePage = 1252;
  #defaultFont: number | undefined;
  /** Bytes that are not decoded yet: a character of several bytes may be written in several ways. */
  #pending: number[] = [];
  /** Characters to drop that repeat the last `\u`. */
  #repeated = 0;
  /** Set for the first token of a group. */
  #isFirst = false;
  #notes = 0;
  #author = '';
  #property = '';

  constructor(picture: number | undefined) {
    this.#pictures = new PictureCollector(picture);
  }

  read(bytes: Uint8Array): RtfContent {
    for (const token of rtfTokens(bytes)) this.#take(token);
    this.#flush();
    while (this.#groups.length > 0) this.#close();
    const edges = (kind: 'header' | 'footer') => [...this.#edges[kind]].map(text => make.other(kind, text));
    const { title, subject, keywords } = this.#facts;
    return {
      facts: { title: title.text, summary: subject.text, keywords: keywords.text.split(/[,;]/) },
      elements: [...edges('header'), ...this.#body.finish(), ...edges('footer')],
      picture: this.#pictures.bytes,
    };
  }

  #take(token: RtfToken): void {
    const isFirst = this.#isFirst;
    this.#isFirst = token.kind === 'open';
    if (token.kind === 'text') this.#bytes(token.bytes);
    else this.#flush();
    if (token.kind === 'binary') this.#pictures.binary(token.bytes);
    if (token.kind === 'word') this.#word(token, isFirst);
    if (token.kind === 'open') this.#open();
    if (token.kind === 'close') this.#close();
  }

  #open(): void {
    if (this.#groups.length >= MAX_DEPTH) throw new UnreadableError('The file nests its groups too deeply');
    this.#repeated = 0;
    this.#groups.push(this.#group);
    this.#group = innerGroup(this.#group);
    if (this.#group.sink === this.#styles.sink) this.#group.onClose = () => this.#styles.define(this.#group.paragraph);
  }

  #close(): void {
    const outer = this.#groups.pop();
    if (outer === undefined) return;
    this.#repeated = 0;
    this.#group.onClose?.();
    const isLast = this.#groups.length === 0;
    if (isLast) this.#body.endParagraph(this.#group.paragraph);
    // Nothing behind the last brace belongs to the document.
    this.#group = isLast ? { ...outer, sink: undefined } : outer;
  }

  #bytes(bytes: Uint8Array): void {
    const { isSkipped, isHidden, sink } = this.#group;
    if (isSkipped || isHidden) return;
    if (sink === undefined) {
      this.#pictures.hex(bytes);
      return;
    }
    const from = Math.min(this.#repeated, bytes.length);
    this.#repeated -= from;
    for (let at = from; at < bytes.length; at += 1) this.#pending.push(bytes[at] ?? 0);
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const bytes = Uint8Array.from(this.#pending);
    this.#pending = [];
    const { charset, page } = this.#fonts.get(this.#group.font ?? this.#defaultFont ?? -1) ?? {};
    const text = decodeCodePage(bytes, page ?? codePageOf(charset) ?? this.#codePage);
    this.#text(charset === SYMBOL_CHARSET ? text.replaceAll('·', '•') : text);
  }

  #text(text: string): void {
    const { sink, isHidden, isSkipped } = this.#group;
    if (sink !== undefined && !isHidden && !isSkipped) sink.text += text;
  }

  #word({ name, value }: { name: string; value: number | undefined }, isFirst: boolean): void {
    const group = this.#group;
    if (group.isSkipped) return;
    if (this.#repeated > 0) {
      this.#repeated -= 1;
      return;
    }
    const { isOptional } = group;
    group.isOptional = name === '*' && isFirst;
    if (this.#destination(name, value)) return;
    if (isOptional && !transparent.has(name)) group.isSkipped = true;
    else if (name === 'u') this.#unicode(value ?? 0);
    else if (characters.has(name)) this.#text(characters.get(name) ?? '');
    else if (!this.#setting(name, value) && !this.#paragraphSetting(name, value)) this.#structure(name, value);
  }

  #unicode(value: number): void {
    this.#text(String.fromCharCode(value & 0xffff));
    this.#repeated = this.#group.fallback;
  }

  /** Words that change letters. */
  #setting(name: string, value: number | undefined): boolean {
    const group = this.#group;
    const setFont = (part: { charset?: number; page?: number }) => {
      const font = group.font ?? -1;
      this.#fonts.set(font, { ...this.#fonts.get(font), ...part });
    };
    switch (name) {
      case 'f':
        group.font = value;
        return true;
      case 'plain':
        group.font = undefined;
        group.isHidden = false;
        return true;
      case 'v':
      case 'deleted':
        group.isHidden = value !== 0;
        return true;
      case 'uc':
        group.fallback = Math.max(0, Math.min(value ?? 1, 100));
        return true;
      case 'ansicpg':
        if (value !== undefined && value > 0) this.#codePage = value;
        return true;
      case 'mac':
        this.#codePage = 10000;
        return true;
      case 'deff':
        this.#defaultFont = value;
        return true;
      case 'fcharset':
        setFont({ charset: value ?? 0 });
        return true;
      case 'cpg':
        setFont({ page: value ?? 1252 });
        return true;
      default:
        return false;
    }
  }

  /** Words that change a paragraph. */
  #paragraphSetting(name: string, value: number | undefined): boolean {
    const group = this.#group;
    const change = (part: Partial<ParagraphState>) => {
      group.paragraph = { ...group.paragraph, ...part };
      return true;
    };
    switch (name) {
      case 'pard':
        return change(plainParagraph);
      case 's':
        return change({ style: value });
      case 'sbasedon':
        this.#styles.base = value;
        return true;
      case 'outlinelevel':
        return change({ outline: value });
      case 'intbl':
        return change({ isInTable: true });
      case 'ls':
        return change({ list: value === 0 ? undefined : value });
      case 'ilvl':
        return change({ level: Math.max(0, Math.min(value ?? 0, 8)) });
      default:
        return false;
    }
  }

  /** Words that end something. Outside of the body, paragraphs and cells are lines and tabs. */
  #structure(name: string, value: number | undefined): void {
    const { sink, paragraph } = this.#group;
    const isBody = sink === this.#body.sink;
    switch (name) {
      case 'par':
      case 'sect':
      case '\n':
      case '\r':
        if (isBody && !paragraph.isInTable) this.#body.endParagraph(paragraph);
        else this.#text('\n');
        break;
      case 'cell':
        if (isBody) this.#body.endCell();
        else this.#text('\t');
        break;
      case 'row':
        if (isBody) this.#body.endRow();
        else this.#text('\n');
        break;
      case 'nestcell':
        this.#text('\t');
        break;
      case 'trowd':
        this.#body.beginRow();
        break;
      case 'cellx':
        this.#body.addEdge(value ?? 0);
        break;
      case 'chftn':
        if (isBody) this.#text(`[^${this.#notes + 1}]`);
        break;
      default:
        this.#pictures.word(name, value);
    }
  }

  /** Words that say what the text of the group is for. Returns whether `name` is one. */
  #destination(name: string, value: number | undefined): boolean {
    const group = this.#group;
    if (group.numbering !== undefined && defineNumbering(group.numbering, name, value)) return true;
    if (skipped.has(name) && value === undefined) group.isSkipped = true;
    else if (name === 'pn') this.#numbering();
    else if (name === 'pntxta') group.sink = group.numbering?.after;
    else if (name === 'pntxtb') group.sink = group.numbering?.before;
    else if (name === 'title' || name === 'subject' || name === 'keywords') group.sink = this.#facts[name];
    else if (name === 'stylesheet') group.sink = this.#styles.sink;
    else if (name === 'fonttbl' || name === 'info' || name === 'upr') group.sink = undefined;
    else if (name === 'ud') group.sink = this.#groups.at(-2)?.sink;
    else if (name === 'field') group.field = { instruction: { text: '' } };
    else if (name === 'fldinst') group.sink = group.field?.instruction;
    else if (name === 'fldrslt') this.#linkText();
    else if (name === 'footnote') this.#note();
    else if (name === 'pict') this.#picture();
    else if (name === 'nesttableprops') {
      this.#text('\n');
      group.isSkipped = true;
    } else return this.#collected(name);
    return true;
  }

  /** Groups whose text is used when they end. */
  #collected(name: string): boolean {
    const { font } = this.#group;
    const edge = /^(header|footer)[lrf]?$/.exec(name)?.[1];
    if (edge === 'header' || edge === 'footer') {
      this.#collect(text => {
        if (/\p{L}/u.test(text)) this.#edges[edge].add(text);
      });
    } else if (name === 'listtext' || name === 'pntext') {
      this.#collect(text => this.#setMark(text.trim(), this.#group.font ?? font));
    } else if (name === 'atnauthor') {
      this.#collect(text => {
        this.#author = text;
      });
    } else if (name === 'annotation') {
      this.#collect(text => {
        if (text !== '') this.#body.follow(make.annotation(text, this.#author || undefined));
        this.#author = '';
      });
    } else if (name === 'shptxt') {
      this.#collect(text => {
        if (text !== '') this.#body.follow(make.paragraph(text));
      });
    } else if (name === 'sn') {
      this.#collect(text => {
        this.#property = text;
      });
    } else if (name === 'sv') this.#collect(text => this.#pictures.property(this.#property, text));
    else return false;
    return true;
  }

  #collect(use: (text: string) => void): void {
    const sink: Sink = { text: '' };
    this.#group.sink = sink;
    this.#group.onClose = () => use(tidy(sink.text));
  }

  /** The shown text of a link is written `[words](address)`. */
  #linkText(): void {
    const { field, sink } = this.#group;
    if (field === undefined || sink === undefined) return;
    const from = sink.text.length;
    this.#group.onClose = () => {
      const url = /^\s*HYPERLINK\s+"?([^"\s]+)"?/i.exec(field.instruction.text)?.[1];
      const words = sink.text.slice(from).trim();
      const isLink = url !== undefined && !url.startsWith('\\') && words !== '' && words !== url && !/\n/.test(words);
      if (isLink) sink.text = `${sink.text.slice(0, from)}[${words}](${url})`;
    };
  }

  #note(): void {
    const { sink } = this.#body;
    this.#notes += 1;
    const mark = `[^${this.#notes}]`;
    if (!sink.text.trimEnd().endsWith(mark)) sink.text += mark;
    this.#collect(text => {
      if (text !== '') this.#body.follow(make.annotation(`${mark}: ${text}`));
    });
  }

  /** Numbers the paragraphs from here on, up to the next `\\pard`. */
  #numbering(): void {
    const outer = this.#groups.at(-1);
    const numbering = noNumbering();
    this.#group.sink = undefined;
    this.#group.numbering = numbering;
    this.#group.onClose = () => {
      if (outer !== undefined) outer.paragraph = { ...outer.paragraph, numbering };
    };
  }

  #picture(): void {
    this.#group.sink = undefined;
    this.#pictures.begin();
    this.#group.onClose = () => this.#body.follow(this.#pictures.end());
  }

  /** The number before the paragraph as the file has it. */
  #setMark(text: string, font: number | undefined): void {
    const isSymbol = this.#fonts.get(font ?? -1)?.charset === SYMBOL_CHARSET;
    // Digits are digits in fonts of symbols, too.
    const isBullet = isSymbol && !/^\W?\d+\W?$/.test(text);
    this.#body.mark = isBullet || text === 'o' || !/[\p{L}\p{N}]/u.test(text) ? '-' : text;
  }
}
