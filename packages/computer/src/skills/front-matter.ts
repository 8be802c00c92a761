import { clip, fieldsOf, isObject } from '@a2c-smcp/core';
import type { A2CSkillRef } from '@a2c-smcp/protocol';
import { parseDocument } from 'yaml';

/** A file whose front matter is not closed by then has none. */
export const MAX_FRONT_MATTER_BYTES = 32 * 1024;
/** Levels of `metadata`. */
const MAX_DEPTH = 10;
const MAX_METADATA_LENGTH = 8 * 1024;
const MAX_DESCRIPTION_LENGTH = 2048;
const MAX_FACT_LENGTH = 512;
const MAX_LIST_LENGTH = 100;

/** The fields of a skill that its front matter says, bounded. */
export type SkillFacts = Pick<
  A2CSkillRef,
  'description' | 'license' | 'compatibility' | 'allowed_tools' | 'tags' | 'skill_metadata'
> & { name?: string };

export interface FrontMatter {
  /** Undefined when it is malformed or describes nothing. */
  facts: SkillFacts | undefined;
  /** Bytes of the file before its text. */
  length: number;
}

/** Reads the front matter at the beginning of a file. */
export function readFrontMatter(head: Uint8Array): FrontMatter {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, MAX_FRONT_MATTER_BYTES));
  // One character per byte, so that positions are bytes.
  const match = /^(?:\xef\xbb\xbf)?---[ \t]*\r?\n([\s\S]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/.exec(text.toString('latin1'));
  if (match?.[1] === undefined) return { facts: undefined, length: 0 };
  const yaml = Buffer.from(match[1], 'latin1').toString('utf8');
  return { facts: factsOf(parseYaml(yaml)), length: match[0].length };
}

/** Plain data of YAML 1.2: no aliases, which may expand without bound, and no tags of types. */
function parseYaml(yaml: string): unknown {
  try {
    const document = parseDocument(yaml, { schema: 'core', merge: false, logLevel: 'silent', prettyErrors: false });
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 });
  } catch {
    // The parser is recursive and may overflow the stack, and an alias is an error.
    return undefined;
  }
}

function factsOf(value: unknown): SkillFacts | undefined {
  const { name, description, license, compatibility, tags, metadata, ...others } = fieldsOf(value);
  const summary = textOf(description, MAX_DESCRIPTION_LENGTH);
  if (summary === undefined) return undefined;
  const tools = others['allowed-tools'] ?? others.allowed_tools;
  return {
    description: summary,
    ...present('name', textOf(name, MAX_FACT_LENGTH)),
    ...present('license', textOf(license, MAX_FACT_LENGTH)),
    ...present('compatibility', textOf(compatibility, MAX_FACT_LENGTH)),
    ...present('allowed_tools', textsOf(Array.isArray(tools) || tools === undefined ? tools : [tools])),
    ...present('tags', Array.isArray(tags) && tags.every(tag => typeof tag === 'string') ? textsOf(tags) : undefined),
    ...present('skill_metadata', metadataOf(metadata)),
  };
}

/** Left out rather than null: the official Server refuses an answer with a null here. */
function present<K extends string, T>(key: K, value: T | undefined): { [key in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]: T });
}

function textOf(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const text = String(value).trim();
  return text === '' ? undefined : clip(text, maxLength);
}

function textsOf(values: unknown): string[] | undefined {
  if (!Array.isArray(values)) return undefined;
  return values.slice(0, MAX_LIST_LENGTH).flatMap(value => textOf(value, MAX_FACT_LENGTH) ?? []);
}

/** Passed on as it is, as far as it is JSON of a modest size. */
function metadataOf(value: unknown): Record<string, unknown> | undefined {
  if (!isObject(value) || isDeeper(value, MAX_DEPTH)) return undefined;
  const text = JSON.stringify(value);
  return text.length > MAX_METADATA_LENGTH ? undefined : JSON.parse(text);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some(child => isDeeper(child, levels - 1));
}
