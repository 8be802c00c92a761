import { fieldsOf, isObject } from '@a2c-smcp/core';
import { parseWindowUri, type Resource } from '@a2c-smcp/protocol';
import type { Problem } from '../warnings.ts';

/** The metadata of a window, with defaults for what is missing or invalid. */
export interface WindowTraits {
  /** Without query and fragment. Absent when the resource is not a window. */
  uri?: string;
  host?: string;
  /** From 0 to 1. */
  priority: number;
  fullscreen: boolean;
  problems: Problem[];
}

/** The part of a resource that concerns a window. */
export type WindowResource = Pick<Resource, 'uri' | 'annotations' | '_meta'>;

/** Reads a window's metadata. The URI's query plays no part, whatever it says. */
export function describeWindow({ uri, annotations, _meta }: WindowResource): WindowTraits {
  const problems: Problem[] = [];
  const note = (code: string, message: string, fields?: Problem['fields']) =>
    problems.push({ code, message, ...(fields ? { fields } : {}) });
  const { uri: canonical, host } = parsedUri(uri) ?? {};
  if (canonical === undefined) note('window-uri-invalid', 'A window is left out: its URI is not valid');
  else if (/[?#]/.test(uri)) note('window-uri-query', 'The URI of a window has a query, which is dropped');

  if (isPresent(annotations) && !isObject(annotations))
    note('window-annotations', 'The annotations of a window are no object', { annotations });
  const { priority, audience, lastModified } = fieldsOf(annotations);
  const hasPriority = isPriority(priority);
  if (!hasPriority && isPresent(priority))
    note('window-priority-range', 'The priority of a window is not from 0 to 1; it counts as 0', { priority });

  const { fullscreen } = fieldsOf(_meta);
  if (typeof fullscreen !== 'boolean' && isPresent(fullscreen)) {
    note('window-fullscreen', 'Whether a window is fullscreen must be true or false; it counts as false', {
      fullscreen,
    });
  }

  if (isPresent(audience) && !isAudience(audience)) {
    note('window-audience', "The audience of a window must be a list of 'user' and 'assistant'", { audience });
  } else if (isPresent(audience) && isAudience(audience) && !audience.includes('assistant')) {
    note('window-audience', 'A window is not meant for the assistant, who sees it all the same', { audience });
  }
  if (isPresent(lastModified) && !isTime(lastModified)) {
    note('window-modified', 'The time of change of a window is not in ISO 8601', { lastModified });
  }
  return {
    ...(canonical === undefined || host === undefined ? {} : { uri: canonical, host }),
    priority: hasPriority ? priority : 0,
    fullscreen: fullscreen === true,
    problems,
  };
}

/** The texts among the contents of a window, and what cannot be shown of them. */
export function describeContents(contents: readonly unknown[]): { texts: string[]; problems: Problem[] } {
  const texts = contents.map(content => fieldsOf(content).text).filter(text => typeof text === 'string');
  const hasBlob = contents.some(content => typeof fieldsOf(content).blob === 'string');
  return {
    texts,
    problems: hasBlob ? [{ code: 'window-binary', message: 'Binary content of a window is not shown' }] : [],
  };
}

function parsedUri(uri: string): { uri: string; host: string } | undefined {
  try {
    return parseWindowUri(uri);
  } catch {
    return undefined;
  }
}

function isPriority(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isAudience(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every(role => role === 'user' || role === 'assistant');
}

/** A date with or without a time, which MCP writes as in `2026-01-31T08:30:00Z`. */
function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d(T\d\d:\d\d|$)/.test(value) && !Number.isNaN(Date.parse(value));
}

/** `null` and a missing field mean the same. */
function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
