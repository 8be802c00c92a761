import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { asking, ERAS, forms, openBridged, textIn, WAYS } from './bridged.ts';

const call = async (client: Client, name = 'ask') => JSON.parse(textIn(await client.callTool({ name, arguments: {} })));

describe.each(ERAS.flatMap(era => WAYS.map(way => [era, way] as const)))('a client of the %s era by %s', (era, way) => {
  test(`shows the forms of MCP servers to its user if it declares that (${era}, ${way})`, async () => {
    await using bridged = await openBridged({ desk: asking });
    const client = await bridged.connect(era, way, forms);
    const shown: unknown[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      shown.push(params.message);
      return shown.length === 2
        ? { action: 'decline' }
        : { action: 'accept', content: { name: `Ada ${shown.length}` } };
    });
    expect(await call(client)).toEqual({ action: 'accept', content: { name: 'Ada 1' } });
    expect(await call(client)).toEqual({ action: 'decline' });
    expect(JSON.stringify(await call(client, 'twice'))).toMatch(/Ada 3.*Ada 4/);
    expect(shown).toEqual(Array(4).fill('s: Please'));
    const silent = await bridged.connect(era, way);
    expect(await call(silent)).toEqual({ action: 'cancel' });
  });
});

test('a client that cancels while it is asked cancels its call', async () => {
  await using bridged = await openBridged({ desk: asking });
  const client = await bridged.connect('legacy', 'http', forms);
  let isAsked = false;
  client.setRequestHandler('elicitation/create', () => {
    isAsked = true;
    return new Promise<never>(() => {});
  });
  const stop = new AbortController();
  const calling = client.callTool({ name: 'ask', arguments: {} }, { signal: stop.signal });
  await eventually(() => expect(isAsked).toBe(true));
  stop.abort();
  await expect(calling).rejects.toThrow();
  await eventually(() => expect(bridged.computers.desk?.questions.open).toEqual([]));
});

test('an outcome that another face brought about reaches a client that still asks its user', async () => {
  await using bridged = await openBridged({ desk: asking });
  const desk = bridged.computers.desk;
  const client = await bridged.connect('modern', 'http', forms);
  client.setRequestHandler('elicitation/create', async () => {
    const [{ id = '' } = {}] = desk?.questions.open ?? [];
    desk?.questions.answer(id, { action: 'accept', content: { name: 'Owner' } });
    await eventually(() => expect(desk?.questions.open).toEqual([]));
    return { action: 'accept', content: { name: 'Client' } };
  });
  expect(await call(client)).toEqual({ action: 'accept', content: { name: 'Owner' } });
});

test('a state that the bridge did not give is answered, and harms nothing', async () => {
  await using bridged = await openBridged({ desk: asking });
  const client = await bridged.connect('modern', 'http', forms);
  client.setRequestHandler('elicitation/create', () => ({ action: 'cancel' }));
  const forged = { method: 'tools/call' as const, params: { name: 'ask', arguments: {}, requestState: 'forged' } };
  const result = await client.request(forged);
  expect(textIn(result as never)).toContain('is over');
  expect(await call(client)).toEqual({ action: 'cancel' });
});
