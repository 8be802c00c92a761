import { fieldsOf, type Json } from '@a2c-smcp/core';
import { closest } from '@a2c-smcp/protocol';
import { UsageError } from '../../command.ts';
import { readJson, readJsonObject } from '../../options.ts';
import { propertiesOf, resolveSchema, signatureOf, typesOf } from '../../output/schema.ts';

/** A parameter of a call as it was typed, with the text of its file. */
export interface ParamWord {
  key: string;
  text: string;
  /** True if it was written `key:=JSON`. */
  isJson: boolean;
}

/** Splits `key=value`, `key:=JSON` and both with `@FILE`; `@@` is an `@`. @param read reads a file, or `-` */
export async function splitWords(
  words: readonly string[],
  read: (path: string) => Promise<string>,
): Promise<ParamWord[]> {
  const split = words.map(word => {
    const [, key = '', operator, value = ''] = /^([^=]+?)(:?=)(.*)$/s.exec(word) ?? [];
    if (key === '') throw new UsageError(`'${word}' is not 'key=value'; or give all parameters with --params JSON`);
    return { key, value, isJson: operator === ':=' };
  });
  return Promise.all(
    split.map(async ({ key, value, isJson }) => {
      const isFile = value.startsWith('@') && !value.startsWith('@@');
      const text = isFile ? await readFileFor(key, value.slice(1), read) : value.replace(/^@@/, '@');
      return { key, text, isJson };
    }),
  );
}

async function readFileFor(key: string, path: string, read: (path: string) => Promise<string>): Promise<string> {
  return read(path).catch(error => {
    if (error?.code !== 'ENOENT') throw error;
    throw new UsageError(`${key}: there is no file '${path}'; write ${key}=@@${path} for the text '@${path}'`);
  });
}

/**
 * The parameters of a call from words and a JSON object. The tool's schema decides the type of a value. A key that is
 * given several times is a list; `a.b` is the field `b` of the parameter `a`.
 *
 * @param subject the word for what is called, in errors
 */
export function readParams(
  words: readonly ParamWord[],
  json: string | undefined,
  schema: Record<string, unknown>,
  subject = 'tool',
): Record<string, unknown> {
  const root = resolveSchema(schema, schema);
  const groups = new Map<string, ParamWord[]>();
  for (const word of words) groups.set(word.key, [...(groups.get(word.key) ?? []), word]);
  return [...groups].reduce<Json>(
    (params, [key, given]) => {
      const path = pathOf(key, root, subject);
      const found = path.reduce((at, name) => resolveSchema(propertiesOf(at)[name] ?? {}, schema), root);
      return withValue(params, path, readGiven(given, found, schema));
    },
    json === undefined ? {} : readJsonObject('--params', json),
  );
}

/** A name with dots is a path, unless a parameter is called so. */
function pathOf(key: string, schema: Json, subject: string): [string, ...string[]] {
  const known = propertiesOf(schema);
  const [first = '', ...rest] = key.split('.');
  if (Object.hasOwn(known, key) || !Object.hasOwn(known, first)) {
    refuseUnknown(key, schema, subject);
    return [key];
  }
  return [first, ...rest];
}

function withValue(target: Json, [name = '', ...rest]: readonly string[], value: unknown): Json {
  // Own properties only: a name may be `__proto__`.
  const old = Object.hasOwn(target, name) ? fieldsOf(target[name]) : {};
  return { ...target, [name]: rest.length === 0 ? value : withValue(old, rest, value) };
}

function readGiven(given: readonly ParamWord[], schema: Json, root: Json): unknown {
  const [first = { key: '', text: '', isJson: false }, ...others] = given;
  const types = typesOf(schema, root);
  const takesList = types.length === 0 || types.includes('array');
  if (others.length > 0 && !takesList) throw new UsageError(`${first.key}: it is given twice, and takes one value`);
  const isWhole = others.length === 0 && (first.isJson || first.text.trimStart().startsWith('['));
  if (others.length > 0 || (types.includes('array') && !types.includes('string') && !isWhole)) {
    const item = resolveSchema(fieldsOf(schema.items), root);
    return given.map(word => readValue(word, typesOf(item, root)));
  }
  return readValue(first, types);
}

function readValue({ key, text, isJson }: ParamWord, types: readonly string[]): unknown {
  if (isJson) return readJson(key, text);
  if (types.includes('string') || types.length === 0) return text;
  if (types.includes('number') || types.includes('integer')) {
    const value = Number(text);
    if (text.trim() === '' || Number.isNaN(value)) throw new UsageError(`${key}: '${text}' is not a number`);
    return value;
  }
  if (types.includes('boolean')) {
    if (text !== 'true' && text !== 'false') throw new UsageError(`${key}: '${text}' is neither 'true' nor 'false'`);
    return text === 'true';
  }
  return readJson(key, text);
}

function refuseUnknown(key: string, schema: Json, subject: string): void {
  const known = Object.keys(propertiesOf(schema));
  if (known.length === 0 || known.includes(key) || schema.additionalProperties === true) return;
  const near = closest(key, known);
  const hint = near ? `did you mean '${near}'?` : `its parameters are ${signatureOf(schema)}`;
  throw new UsageError(`The ${subject} has no parameter '${key}': ${hint}`);
}

export async function jsonOf(
  params: string | undefined,
  read: (path: string) => Promise<string>,
): Promise<string | undefined> {
  if (params === '-') return read('-');
  return params?.startsWith('@') ? read(params.slice(1)) : params;
}
