import { isObject } from '@a2c-smcp/core';
import { looksSecret } from '../secrets/looks-secret.ts';

/** One field of a form, as MCP's flat schemas describe it. */
export interface FormField {
  name: string;
  /** `choice` is one of the options, `choices` any number of them. */
  type: 'string' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices';
  title?: string | undefined;
  description?: string | undefined;
  isRequired: boolean;
  default?: unknown;
  options?: readonly { value: string; label: string }[] | undefined;
  format?: 'email' | 'uri' | 'date' | 'date-time' | undefined;
  /** Of the length of a text, the value of a number, or the number of choices. */
  min?: number | undefined;
  max?: number | undefined;
  /** The name suggests a secret, which MCP does not allow in forms: people should be warned. */
  looksSecret: boolean;
}

const MAX_FIELDS = 100;
const MAX_OPTIONS = 1000;
const FORMATS = ['email', 'uri', 'date', 'date-time'] as const;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** The fields of a form; undefined when the schema is none of those that MCP allows. */
export function readForm(schema: unknown): FormField[] | undefined {
  if (!isObject(schema) || !isObject(schema.properties)) return undefined;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries = Object.entries(schema.properties);
  if (entries.length > MAX_FIELDS) return undefined;
  const fields = entries.map(([name, field]) => readField(name, field, required.includes(name)));
  return fields.every(field => field !== undefined) ? fields : undefined;
}

/** The entered values, with defaults for missing ones and text turned into numbers, or the problem of each field. */
export function fillForm(
  fields: readonly FormField[],
  entered: unknown,
): { content: Record<string, unknown>; problems: Record<string, string> } {
  const given = isObject(entered) ? entered : {};
  const content: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const value = Object.hasOwn(given, field.name) ? given[field.name] : undefined;
    const isMissing = value === undefined || value === null || (value === '' && field.type !== 'string');
    if (isMissing && field.default === undefined) {
      if (field.isRequired) problems[field.name] = 'is required';
      continue;
    }
    const checked = checkField(field, isMissing ? field.default : value);
    if ('problem' in checked) problems[field.name] = checked.problem;
    else content[field.name] = checked.value;
  }
  return { content, problems };
}

/** One value of a form as its type wants it, or what is wrong with it. */
export function checkField(field: FormField, value: unknown): { value: unknown } | { problem: string } {
  switch (field.type) {
    case 'string':
      return typeof value === 'string' ? checkText(field, value) : { problem: 'must be a text' };
    case 'number':
    case 'integer':
      return checkNumber(field, value);
    case 'boolean': {
      const known = { true: true, yes: true, y: true, false: false, no: false, n: false }[String(value).toLowerCase()];
      return known === undefined ? { problem: 'must be yes or no' } : { value: known };
    }
    case 'choice': {
      const found = optionOf(field, value);
      return found === undefined ? { problem: `must be one of ${labels(field)}` } : { value: found };
    }
    case 'choices':
      return checkChoices(field, value);
  }
}

function checkText({ format, min, max }: FormField, value: string): { value: string } | { problem: string } {
  const length = [...value].length;
  if (min !== undefined && length < min) return { problem: `must have at least ${min} characters` };
  if (max !== undefined && length > max) return { problem: `must have at most ${max} characters` };
  if (format === 'email' && !EMAIL.test(value)) return { problem: 'must be an e-mail address' };
  if (format === 'uri' && !URL.canParse(value)) return { problem: 'must be an address such as https://example.com' };
  if (format === 'date' && !isDate(value, DATE)) return { problem: 'must be a date such as 2026-01-31' };
  if (format === 'date-time' && !isDate(value, DATE_TIME))
    return { problem: 'must be a time such as 2026-01-31T12:00Z' };
  return { value };
}

function checkNumber({ type, min, max }: FormField, value: unknown): { value: number } | { problem: string } {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return { problem: 'must be a number' };
  if (type === 'integer' && !Number.isInteger(number)) return { problem: 'must be a whole number' };
  if (min !== undefined && number < min) return { problem: `must be at least ${min}` };
  if (max !== undefined && number > max) return { problem: `must be at most ${max}` };
  return { value: number };
}

function checkChoices(field: FormField, value: unknown): { value: string[] } | { problem: string } {
  const wanted = typeof value === 'string' ? value.split(',').map(word => word.trim()) : value;
  if (!Array.isArray(wanted)) return { problem: `must be some of ${labels(field)}` };
  const found = wanted.filter(word => word !== '').map(word => optionOf(field, word));
  if (found.includes(undefined)) return { problem: `must be some of ${labels(field)}` };
  if (field.min !== undefined && found.length < field.min) return { problem: `must be at least ${field.min}` };
  if (field.max !== undefined && found.length > field.max) return { problem: `must be at most ${field.max}` };
  return { value: found as string[] };
}

/** An option by its value, or by its label if that is the only one. */
function optionOf({ options = [] }: FormField, value: unknown): string | undefined {
  if (options.some(option => option.value === value)) return value as string;
  const [found, ...others] = options.filter(({ label }) => label === value);
  return others.length === 0 ? found?.value : undefined;
}

function labels({ options = [] }: FormField): string {
  return options.map(({ label }) => `'${label}'`).join(', ');
}

function isDate(value: string, pattern: RegExp): boolean {
  if (!pattern.test(value)) return false;
  const time = new Date(value.slice(0, 10));
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value.slice(0, 10));
}

function readField(name: string, schema: unknown, isRequired: boolean): FormField | undefined {
  if (!isObject(schema)) return undefined;
  const title = textOf(schema.title);
  const description = textOf(schema.description);
  const isSecret = looksSecret(`${name} ${title ?? ''}`);
  const field = { name, title, description, isRequired, default: schema.default, looksSecret: isSecret };
  if (schema.type === 'array') {
    const options = isObject(schema.items) ? readOptions(schema.items) : undefined;
    const limits = { min: numberOf(schema.minItems), max: numberOf(schema.maxItems) };
    return options && { ...field, ...limits, type: 'choices', options };
  }
  if (schema.enum !== undefined || schema.oneOf !== undefined) {
    const options = readOptions(schema);
    return options && { ...field, type: 'choice', options };
  }
  switch (schema.type) {
    case 'string': {
      const format = FORMATS.find(known => known === schema.format);
      return { ...field, type: 'string', format, min: numberOf(schema.minLength), max: numberOf(schema.maxLength) };
    }
    case 'number':
    case 'integer':
      return { ...field, type: schema.type, min: numberOf(schema.minimum), max: numberOf(schema.maximum) };
    case 'boolean':
      return { ...field, type: 'boolean' };
    default:
      return undefined;
  }
}

/** Options as `enum` with `enumNames`, or as `oneOf` or `anyOf` with `const` and `title`. */
function readOptions(schema: Record<string, unknown>): { value: string; label: string }[] | undefined {
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
  const pairs = schema.oneOf ?? schema.anyOf;
  const options = Array.isArray(pairs)
    ? pairs.map(pair => (isObject(pair) ? option(pair.const, pair.title) : undefined))
    : Array.isArray(schema.enum)
      ? schema.enum.map((value, index) => option(value, names[index]))
      : [];
  if (options.length === 0 || options.length > MAX_OPTIONS) return undefined;
  return options.every(each => each !== undefined) ? options : undefined;
}

function option(value: unknown, label: unknown): { value: string; label: string } | undefined {
  return typeof value === 'string' ? { value, label: textOf(label) ?? value } : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
