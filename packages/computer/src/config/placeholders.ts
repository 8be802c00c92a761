import type { MCPServerConfig } from '@a2c-smcp/protocol';

/** A placeholder: `${input:id}`, `${env:NAME}`, or one of a fixed value, whose `name` is empty. */
export interface Placeholder {
  kind: 'input' | 'env' | 'userHome' | 'pathSeparator';
  name: string;
}

/** Gives the value of a placeholder, or undefined to leave it as it is. */
export type PlaceholderValue = (placeholder: Placeholder) => Promise<unknown>;

/** Values may contain placeholders themselves, to this depth. */
const DEPTH = 10;

const ANYWHERE = /\$\{(?:(input|env):([^}]*)|(userHome|pathSeparator))\}/g;
const WHOLE = /^\$\{(?:(input|env):([^}]*)|(userHome|pathSeparator))\}$/;

/**
 * Replaces the placeholders in all strings of a structure. One that is the whole string keeps the type of its value;
 * one inside a longer string is inserted as text.
 */
export async function fillPlaceholders<T>(structure: T, lookUp: PlaceholderValue): Promise<T> {
  return (await fill(structure, lookUp, DEPTH)) as T;
}

/** True if a text contains a placeholder. */
export function hasPlaceholder(text: string): boolean {
  return text.search(ANYWHERE) >= 0;
}

/** Stands for a placeholder in a text that is judged without it. */
export const PLACEHOLDER_MARK = '\uE000';

export interface MarkedText {
  /** The text with a mark for each placeholder; undefined when it has such a character itself. */
  marked: string | undefined;
  /** The text from its pieces in order, with the placeholders as they were in those that are not replaced. */
  restore(pieces: readonly { text: string; replacement: string | undefined }[]): string;
  /** The literals between the marks of a piece. */
  literals(piece: string): string[];
}

/** Puts a mark in the place of every placeholder. */
export function markPlaceholders(text: string): MarkedText {
  const placeholders = text.match(ANYWHERE) ?? [];
  const marked = text.includes(PLACEHOLDER_MARK) ? undefined : text.replace(ANYWHERE, PLACEHOLDER_MARK);
  return {
    marked,
    restore(pieces) {
      let next = 0;
      const texts = pieces.map(piece => {
        const whole = piece.text.replaceAll(PLACEHOLDER_MARK, () => placeholders[next++] ?? '');
        return piece.replacement ?? whole;
      });
      return texts.join('');
    },
    literals: piece => piece.split(PLACEHOLDER_MARK).filter(literal => literal !== ''),
  };
}

async function fill(value: unknown, lookUp: PlaceholderValue, depth: number): Promise<unknown> {
  if (typeof value === 'string') return fillText(value, lookUp, depth);
  if (Array.isArray(value)) return Promise.all(value.map(item => fill(item, lookUp, depth)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await fill(item, lookUp, depth)]);
  return Object.fromEntries(await Promise.all(entries));
}

async function fillText(text: string, lookUp: PlaceholderValue, depth: number): Promise<unknown> {
  if (depth === 0) return text;
  const whole = WHOLE.exec(text);
  if (whole) {
    const value = await lookUp(placeholder(whole));
    return value === undefined ? text : fill(value, lookUp, depth - 1);
  }
  const parts = [...text.matchAll(ANYWHERE)];
  const values = await Promise.all(parts.map(part => fillText(part[0], lookUp, depth)));
  let next = 0;
  return text.replace(ANYWHERE, () => asText(values[next++]));
}

function placeholder([, named, name = '', fixed]: RegExpExecArray): Placeholder {
  return { kind: (named ?? fixed) as Placeholder['kind'], name };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** True if the value of an input is part of what a server is started with. */
export function refersTo(config: MCPServerConfig, id: string): boolean {
  const { server_parameters, envFile, roots, oauth } = config;
  return JSON.stringify([server_parameters, envFile, roots, oauth]).includes(`\${input:${id}}`);
}
