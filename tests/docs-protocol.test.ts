import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHead } from '@a2c-smcp/core';
import {
  clientEvents,
  ErrorCode,
  ErrorPayload,
  notifyEvents,
  type RequestEventName,
  requestEvents,
  serverEvents,
  signalEvents,
  toJSONSchemas,
} from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { markdownFiles, sectionsOf, tableRows } from './markdown.ts';
import { root } from './packages.ts';

const folder = 'docs/protocol';
const read = (page: string) => readFileSync(join(root, folder, page), 'utf8');

/** The payloads of each event, in both directions. */
const payloads: Record<string, z.ZodMiniType[]> = {
  ...mapValues({ ...clientEvents, ...serverEvents }, ({ request, response }) => [request, response]),
  ...mapValues(signalEvents, ({ payload }) => [payload]),
  ...mapValues(notifyEvents, payload => [payload]),
};

describe('events.md', () => {
  const sections = sectionsOf(join(folder, 'events.md'));
  const common = sections.get('Common fields') ?? '';

  test('has a section for every event', () => {
    const described = [...sections.keys()].flatMap(heading => /^`(\w+:\w+)`$/.exec(heading)?.[1] ?? []);
    expect(described.toSorted()).toEqual(Object.keys(payloads).toSorted());
  });

  test.each(Object.entries(payloads))('names every field of %s', (event, schemas) => {
    const section = sections.get(`\`${event}\``) ?? '';
    const linked = [...section.matchAll(/\[`(\w+)`\]\(#/g)].map(([, name = '']) => sections.get(name));
    const described = [common, section, ...linked].join('\n');
    expect(schemas.flatMap(fieldsOf).filter(field => !described.includes(`\`${field}\``))).toEqual([]);
  });

  const structures = Object.entries(toJSONSchemas()).filter(([name]) => sections.has(name));

  test.each(structures)('names every field of %s', (name, { properties = {} }) => {
    const described = sections.get(name);
    expect(Object.keys(properties).filter(field => !described?.includes(`\`${field}\``))).toEqual([]);
  });
});

describe('example frames', () => {
  const pages = markdownFiles(folder).map(path => readFileSync(join(root, path), 'utf8'));
  const blocks = pages.flatMap(text =>
    [...text.matchAll(/^```\n(4[23]\/smcp,\d*\[.*?)\n```/gms)].map(([, block = '']) => block),
  );
  const frames = blocks.flatMap(block => pairs(block.split('\n')));

  test('are found', () => expect(frames.length).toBeGreaterThan(20));

  test.each(frames)('%s is valid', (frame, event) => {
    const { type, args } = parseFrame(frame);
    if (type === 'event') {
      const [payload] = payloads[String(args[0])] ?? [];
      expect(payload?.safeParse(args[1]).error).toBeUndefined();
      return;
    }
    const response = requestEvents[event as RequestEventName].response as z.ZodMiniType;
    const answer = event.endsWith('_office') ? args : args[0];
    expect(z.union([response, ErrorPayload]).safeParse(answer).error).toBeUndefined();
  });
});

test('errors.md lists every code with its name', () => {
  const listed = tableRows(read('errors.md'), ['Code', 'Name']).flatMap(({ Code, Name }) => {
    const names = Name.split(', ');
    return Code.split(', ').map((code, index) => [names[index], Number(code)]);
  });
  expect(listed).toEqual(Object.entries(ErrorCode));
});

test('errors.md lists every reason', () => {
  const source = readFileSync(join(root, 'packages/protocol/src/errors.ts'), 'utf8');
  const [, list = ''] = /const errorReasons = \[(.*?)\]/s.exec(source) ?? [];
  const reasons = [...list.matchAll(/^ {2}'(\w+)',/gm)].map(([, reason]) => reason);
  const listed = tableRows(read('errors.md'), ['Reason', 'Added by']).map(({ Reason }) => Reason.replaceAll('`', ''));
  expect(reasons.length).toBeGreaterThan(5);
  expect(listed.toSorted()).toEqual(reasons.toSorted());
});

test('timing.md has every constant of times.ts with its value', () => {
  const source = readFileSync(join(root, 'packages/protocol/src/times.ts'), 'utf8');
  const constants = [...source.matchAll(/^export const (\w+_(MS|S)) = ([\d_]+);/gm)].map(
    ([, name, unit, digits = '']) => {
      const value = Number(digits.replaceAll('_', ''));
      return [name, unit === 'S' ? value * 1000 : value];
    },
  );
  const named = tableRows(read('timing.md'), ['Name', 'Value']).filter(({ Name }) => Name !== '');
  const listed = named.map(({ Name, Value }) => [Name.replaceAll('`', ''), milliseconds(Value)]);
  expect(constants.length).toBeGreaterThan(10);
  expect(listed.toSorted()).toEqual(constants.toSorted());
});

function milliseconds(value: string): number {
  const [, count, unit] = /^(\d+) (ms|s)$/.exec(value) ?? [];
  return Number(count) * (unit === 's' ? 1000 : 1);
}

/** Each frame of an example with the event that it is or answers. */
function pairs(frames: readonly string[]): [frame: string, event: string][] {
  const events = new Map<number | undefined, string>();
  return frames.map(frame => {
    const { type, id, args } = parseFrame(frame);
    if (type === 'event') events.set(id, String(args[0]));
    return [frame, events.get(id) ?? 'client:tool_call'];
  });
}

function parseFrame(frame: string) {
  const head = readHead(frame.slice(1));
  if (!head) throw new Error(`'${frame}' is no event and no answer`);
  return { ...head, args: JSON.parse(frame.slice(1 + head.start)) as unknown[] };
}

function fieldsOf(schema: z.ZodMiniType): string[] {
  return schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
}

function mapValues<T, R>(record: Record<string, T>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
