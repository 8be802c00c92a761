import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually, textOf } from './office.ts';
import { openPublishing, type PublishingOffice, publishing } from './publishing.ts';

const tool = {
  name: 'find',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  _meta: { document_search: true },
};

interface ScriptedHit {
  uri: unknown;
  title?: unknown;
  passage?: unknown;
}

/** A server whose documents have titles like their references, and which finds what it is told. */
function searching(host: string, documents: readonly string[], hits: readonly unknown[], more: object = {}) {
  return {
    resources: documents.map(name => ({
      uri: `dpe://${host}/${name}`,
      name,
      _meta: { page_count: 9, file_type: name.split('.')[1] },
    })),
    tools: [tool],
    results: { find: { content: [], structuredContent: { hits, pending: 0 } } },
    ...more,
  };
}

function hit(uri: string, passage: string, title = 'A page'): ScriptedHit {
  return { uri, title, passage };
}

async function search(office: PublishingOffice, content: string, more: object = {}) {
  const answer = await office.ask('client:get_finder', { content, ...more });
  return { ...answer, found: answer.hits?.map(({ uri }) => uri) };
}

/** The arguments with which the server was searched. */
async function searches(office: PublishingOffice): Promise<unknown[]> {
  const { calls } = JSON.parse(textOf(await office.callTool('log')));
  return calls.filter(([name]: [string]) => name === 'find').map(([, args]: [string, unknown]) => args);
}

describe('search inside documents', () => {
  const [one, two] = ['dpe://com.example.one', 'dpe://com.example.two'];

  verifies('search.hits', async () => {
    const long = 'word '.repeat(1000);
    const many = Array.from({ length: 200 }, (_, page) => hit(`${one}/b.md/pages/${page}`, 'more'));
    const odd = [
      hit(`${two}/x.md/pages/0`, 'a document of another MCP server'),
      hit(`${one}/none.md/pages/0`, 'a document that is not listed'),
      hit(`${one}/a.md`, 'no page'),
      hit(`${one}/a.md/elements/e`, 'no page'),
      hit('file:///etc/passwd', 'no document'),
      ...[null, 7, {}, { uri: 7 }, { uri: `${one}/a.md/pages/-1` }],
    ];
    const hits = [
      hit(`${one}/a.md/pages/3?format=text`, `the\n\nword 😀${long}`, long),
      { uri: `${one}/a.md/pages/3`, passage: 'word again' },
      { uri: `${one}/a.md/pages/4`, title: 7, passage: ['word'], server: 'two', score: 1e9, doc_ref: 'forged' },
      ...odd,
      ...many,
    ];
    await using office = await openPublishing({
      one: searching('com.example.one', ['a.md', 'b.md'], hits),
      two: searching('com.example.two', ['x.md'], []),
    });
    const { hits: found = [], documents, total_count, unsearched } = await search(office, 'word', { limit: 100 });
    expect(found[0]).toMatchObject({ uri: `${one}/a.md/pages/3`, doc_ref: 'a.md', page_index: 3, server: 'one' });
    expect(found[0]?.title).toHaveLength(299);
    expect(found[0]?.passage).toMatch(/^the word 😀word word/);
    expect(found[0]?.passage.length).toBeLessThanOrEqual(1000);
    const typeless = found.find(({ page_index }) => page_index === 4);
    expect(typeless).toMatchObject({ title: '', passage: '', server: 'one', doc_ref: 'a.md' });
    expect(found.every(({ score }) => score > 0 && score <= 1)).toBe(true);
    expect(documents?.map(({ doc_ref }) => doc_ref)).toEqual(['a.md', 'b.md']);
    // 50 of those that it sent, of which 10 are none and one is there twice.
    expect([total_count, unsearched]).toEqual([39, []]);
  });

  verifies('search.rank', async () => {
    const both = (page: number) => hit(`${one}/a.md/pages/${page}`, 'The Notice   Périod begins');
    const some = [hit(`${two}/x.md/pages/0`, 'a notice'), hit(`${two}/notice-period.md/pages/0`, 'nothing')];
    await using office = await openPublishing({
      one: searching('com.example.one', ['a.md'], [both(0), both(1)]),
      two: searching('com.example.two', ['x.md', 'notice-period.md'], some),
    });
    const { hits = [] } = await search(office, 'notice period');
    expect(hits.map(({ uri, score }) => [uri, score])).toEqual([
      [`${one}/a.md/pages/0`, 1],
      [`${one}/a.md/pages/1`, 0.984],
      [`${two}/notice-period.md/pages/0`, 0.984],
      [`${two}/x.md/pages/0`, 0.5],
    ]);
    await office.callTool('two__log');
    const { found } = await search(office, 'notice period');
    expect(found?.slice(0, 3)).toEqual([
      `${one}/a.md/pages/0`,
      `${two}/notice-period.md/pages/0`,
      `${one}/a.md/pages/1`,
    ]);
  });

  verifies('search.filter', async () => {
    const names = ['plan.md', 'plan.pdf', 'other.pdf'];
    const hits = names.flatMap(name => [0, 1].map(page => hit(`${one}/${name}/pages/${page}`, 'word')));
    await using office = await openPublishing({ one: searching('com.example.one', names, hits) });
    const pdf = await search(office, 'word', { file_type: 'pdf', keywords: ['plan'] });
    expect(pdf.found).toEqual([`${one}/plan.pdf/pages/0`, `${one}/plan.pdf/pages/1`]);
    expect(pdf).toMatchObject({ total_count: 2, documents: [{ doc_ref: 'plan.pdf' }], pending: 0 });
    const second = await search(office, 'word', { offset: 3, limit: 2 });
    expect(second.found).toEqual([`${one}/plan.pdf/pages/1`, `${one}/other.pdf/pages/0`]);
    expect(second).toMatchObject({ total_count: 6, documents: [{ doc_ref: 'plan.pdf' }, { doc_ref: 'other.pdf' }] });
    expect((await search(office, 'word', { offset: 9 })).hits).toEqual([]);
    expect(await searches(office)).toEqual([
      { query: 'word', limit: 50, file_type: 'pdf' },
      { query: 'word', limit: 50 },
      { query: 'word', limit: 50 },
    ]);
    // An empty text and null ask for the catalogue, as their absence does.
    for (const content of ['', null]) {
      const answer = await office.ask('client:get_finder', { content });
      expect(answer).toMatchObject({ total_count: 3 });
      expect(answer).not.toHaveProperty('hits');
    }
    await expect(search(office, 'word', { limit: -1 })).rejects.toMatchObject({ code: 400 });
    await expect(search(office, 'w'.repeat(1001))).rejects.toMatchObject({ code: 400 });
  });

  verifies('search.tool', async () => {
    const server = (host: string, more: object = {}) =>
      searching(host, ['a.md'], [hit(`dpe://${host}/a.md/pages/0`, 'word')], more);
    const scripts = {
      allowed: server('com.example.allowed'),
      silent: server('com.example.silent', { tools: [{ ...tool, _meta: {} }] }),
      denied: server('com.example.denied'),
      writing: server('com.example.writing', { tools: [{ ...tool, annotations: {} }] }),
    };
    await using office = await openPublishing(scripts, { policy: [{ decision: 'deny', server: 'denied' }] });
    const { computer } = office;
    const writing = publishing(scripts.writing, { name: 'writing' });
    await computer.addServer({ ...writing, default_tool_meta: { auto_apply: false } });
    const { found, unsearched } = await search(office, 'word');
    expect(found).toEqual(['dpe://com.example.allowed/a.md/pages/0']);
    expect(unsearched).toEqual(['silent', 'denied', 'writing']);
    await computer.addServer({ ...writing, default_tool_meta: { auto_apply: true } });
    expect((await search(office, 'word')).unsearched).toEqual(['silent', 'denied']);
    await computer.addServer({ ...writing, forbidden_tools: ['find'] });
    expect((await search(office, 'word')).unsearched).toEqual(['silent', 'denied', 'writing']);
    // On the machine itself the same is found.
    expect((await computer.finder({ content: 'word' })).hits).toHaveLength(1);
  });

  verifies('search.partial', async () => {
    const hits = [hit(`${one}/a.md/pages/0`, 'word')];
    const answering = (result: object, more = {}) => ({ ...searching('com.example.x', [], []), ...result, ...more });
    const failing = (name: string, result: object, more = {}) => ({
      ...answering({ results: { find: result } }, more),
      resources: [{ uri: `dpe://com.example.${name}/a.md`, name, _meta: { page_count: 1 } }],
    });
    await using office = await openPublishing({
      one: searching('com.example.one', ['a.md'], hits, {
        results: { find: { content: [], structuredContent: { hits, pending: 7 } } },
      }),
      slow: failing('slow', {}, { hang: ['find'] }),
      error: failing('error', { isError: true, content: [], structuredContent: { hits } }),
      odd: failing('odd', { content: [], structuredContent: { hits: 'many', pending: -1 } }),
    });
    const begun = performance.now();
    const { found, pending, unsearched } = await search(office, 'word');
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect([found, pending, unsearched]).toEqual([[`${one}/a.md/pages/0`], 7, ['slow', 'error', 'odd']]);
  });

  test('a server that ends during a search is not searched, and the others are', async () => {
    await using office = await openPublishing({
      one: searching('com.example.one', ['a.md'], [hit(`${one}/a.md/pages/0`, 'word')]),
      ending: searching('com.example.ending', ['a.md'], [], { hang: ['find'] }),
    });
    const found = search(office, 'word');
    await eventually(async () =>
      expect(await office.received('tools/call', 'ending')).toContainEqual(['tools/call', 'find']),
    );
    await office.computer.disableServer('ending');
    expect(await found).toMatchObject({ total_count: 1, unsearched: ['ending'] });
  });
});
