import { closest } from '@a2c-smcp/protocol';
import { UsageError } from '../../command.ts';
import { readJson, readJsonObject } from '../../options.ts';
import { propertiesOf, signatureOf } from '../../output/schema.ts';

/**
 * The parameters of a call from `key=value` words and a JSON object. The tool's schema decides the type of a value;
 * `key:=JSON` is always JSON.
 */
export function readParams(
  words: readonly string[],
  json: string | undefined,
  schema: Record<string, unknown>,
): Record<string, unknown> {
  const properties = propertiesOf(schema);
  const given = words.map(word => {
    const [, key = '', operator, value = ''] = /^([^=]+?)(:?=)(.*)$/s.exec(word) ?? [];
    if (key === '') throw new UsageError(`'${word}' is not 'key=value'; or give all parameters with --params JSON`);
    refuseUnknown(key, schema);
    return [key, operator === ':=' ? readJson(key, value) : readValue(key, value, properties[key]?.type)];
  });
  return { ...(json === undefined ? {} : readJsonObject('--params', json)), ...Object.fromEntries(given) };
}

function readValue(key: string, text: string, type: unknown): unknown {
  const types = [type].flat();
  if (types.includes('string') || type === undefined) return text;
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

function refuseUnknown(key: string, schema: Record<string, unknown>): void {
  const known = Object.keys(propertiesOf(schema));
  if (known.length === 0 || known.includes(key) || schema.additionalProperties === true) return;
  const near = closest(key, known);
  const hint = near ? `did you mean '${near}'?` : `its parameters are ${signatureOf(schema)}`;
  throw new UsageError(`The tool has no parameter '${key}': ${hint}`);
}
