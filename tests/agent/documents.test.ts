import { annotationsOf, SmcpError, toolMetaOf } from '@a2c-smcp/agent';
import type { DPEDocumentSummary, DPEPage } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { openOffice } from './office.ts';
import { ScriptedComputer, text } from './scripted-computer.ts';

const uri = 'dpe://files/report%202';
const facts = { doc_ref: 'report 2', uri, file_uri: '', file_type: 'pdf', title: 'Report', page_count: 3 };

function pageOf(index: number): DPEPage {
  return { page_index: index, title: `Page ${index}`, doc_ref: 'report 2', uri: '', elements: [], element_count: 0 };
}

function publish(computer: ScriptedComputer, address: string, body: unknown): void {
  const content = typeof body === 'string' ? body : JSON.stringify(body);
  computer.resources.set(address, [{ uri: address, mimeType: 'application/json', text: content }]);
}

function readUris(computer: ScriptedComputer): string[] {
  return computer.askedFor('client:get_dpe').map(request => request.uri);
}

describe('reading a document', () => {
  verifies('navigate.helpers', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    const index = { ...facts, pages: [], page_offset: 20, page_limit: 10, page_total: 3 };
    publish(computer, uri, facts);
    publish(computer, `${uri}?depth=pages&offset=20&limit=10`, index);
    publish(computer, `${uri}/pages/1?format=markdown&categories=table,chart`, pageOf(1));
    publish(computer, `${uri}/elements/tbl%2F1`, { element_id: 'tbl/1', category: 'table', content: {} });
    expect(await agent.readDocument('desk', uri)).toEqual(facts);
    expect(await agent.readPages('desk', uri, { offset: 20, limit: 10 })).toEqual(index);
    const view = { format: 'markdown', categories: ['table', 'chart'] } as const;
    expect(await agent.readPage('desk', uri, 1, view)).toEqual(pageOf(1));
    expect(await agent.readElement('desk', uri, 'tbl/1')).toMatchObject({ element_id: 'tbl/1' });
    expect(readUris(computer)).toEqual([...computer.resources.keys()]);
  });

  verifies(
    'navigate.helpers',
    async () => {
      await using office = await openOffice();
      const { agent, computer } = office;
      publish(computer, `${uri}?depth=pages&offset=0&limit=20`, { ...facts, pages: [] });
      publish(computer, `${uri}/pages/0?format=json`, pageOf(0));
      await agent.readPages('desk', uri);
      await agent.readPage('desk', uri, 0);
      expect(readUris(computer)).toEqual([...computer.resources.keys()]);
    },
    'the defaults are offset 0, limit 20 and JSON',
  );

  verifies('navigate.lenient', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    const page = { page_index: 2, title: null, element_count: 1 };
    const element = { element_id: 'e', category: 'text', content: { text: 'x' } };
    publish(computer, uri, { page_count: 3, summary: null, keywords: null, last_modified: null, file_type: null });
    publish(computer, `${uri}?depth=pages&offset=0&limit=20`, { page_count: 3, pages: [page] });
    publish(computer, `${uri}/pages/1?format=json`, { elements: [{ ...element, summary: null }] });
    publish(computer, `${uri}/pages/2?format=json`, {});
    publish(computer, `${uri}/elements/e`, { ...element, metadata: null });
    const document = { ...facts, file_type: '', title: 'report 2' };
    expect(await agent.readDocument('desk', uri)).toEqual(document);
    const summary = { page_index: 2, title: '', element_count: 1, uri: `${uri}/pages/2` };
    expect(await agent.readPages('desk', uri)).toEqual({ ...document, pages: [summary] });
    const known = { title: '', doc_ref: 'report 2' };
    const first = { ...known, page_index: 1, uri: `${uri}/pages/1`, elements: [element], element_count: 1 };
    expect(await agent.readPage('desk', uri, 1)).toEqual(first);
    const second = { ...known, page_index: 2, uri: `${uri}/pages/2`, elements: [], element_count: 0 };
    expect(await agent.readPage('desk', uri, 2)).toEqual(second);
    expect(await agent.readElement('desk', uri, 'e')).toEqual(element);
    publish(computer, uri, { title: 'No page count' });
    await expect(agent.readDocument('desk', uri)).rejects.toThrow('page_count');
    publish(computer, `${uri}/pages/1?format=json`, { elements: [{ element_id: 'e', category: 'text' }] });
    await expect(agent.readPage('desk', uri, 1)).rejects.toThrow('content');
  });

  test('a document is read from a URI of any level, without changing its spelling', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    publish(computer, uri, facts);
    for (const address of [`${uri}/pages/2`, `${uri}/elements/x?format=json`, `${uri}?depth=pages`]) {
      expect(await agent.readDocument('desk', address)).toEqual(facts);
    }
  });

  verifies(
    'documents.format',
    async () => {
      await using office = await openOffice();
      const { agent, computer } = office;
      publish(computer, `${uri}/pages/0?format=markdown`, '# Raw');
      publish(computer, `${uri}/pages/0?format=text`, 'Raw');
      publish(computer, `${uri}/pages/1?format=markdown`, { ...pageOf(1), content_markdown: '# Page' });
      const read = (page: number, format: 'markdown' | 'text') => agent.readPage('desk', uri, page, { format });
      expect(await read(0, 'markdown')).toMatchObject({
        page_index: 0,
        doc_ref: 'report 2',
        content_markdown: '# Raw',
      });
      expect(await read(0, 'text')).toMatchObject({ content_text: 'Raw' });
      expect(await read(1, 'markdown')).toMatchObject({ title: 'Page 1', content_markdown: '# Page' });
    },
    'the Agent reads JSON and plain text',
  );

  test.each([
    ['a document that does not exist', uri, 4201],
    ['a URI without a document', 'dpe://files', 4204],
    ['a URI of another scheme', 'window://files/x', 4204],
  ])('reading %s fails with the code of the protocol', async (_, address, code) => {
    await using office = await openOffice();
    await expect(office.agent.readDocument('desk', address)).rejects.toMatchObject({ code });
  });

  test('reading a malformed document fails with an error that names the field', async () => {
    await using office = await openOffice();
    publish(office.computer, uri, { ...facts, page_count: 'many' });
    await expect(office.agent.readDocument('desk', uri)).rejects.toThrow('page_count');
    publish(office.computer, uri, 'not JSON');
    await expect(office.agent.readDocument('desk', uri)).rejects.toThrow('no JSON object');
  });

  test('an impossible page or category is refused before anything is sent', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    await expect(agent.readPage('desk', uri, -1)).rejects.toMatchObject({ code: 4204 });
    await expect(agent.readPage('desk', uri, 0, { categories: ['nonsense'] })).rejects.toMatchObject({ code: 4204 });
    expect(readUris(computer)).toEqual([]);
  });
});

describe('search inside documents', () => {
  const document = { ...facts, server: 'files' };
  const hitOf = (page: number, score: number) => {
    const place = { uri: `${uri}/pages/${page}`, doc_ref: 'report 2', page_index: page, server: 'files' };
    return { ...place, title: '', passage: '', score };
  };

  verifies(
    'search.rank',
    async () => {
      await using office = await openOffice();
      const { agent, computer, server } = office;
      await using attic = await ScriptedComputer.join(server.url, { name: 'attic' });
      computer.documents.push(document);
      computer.hits = { hits: [hitOf(0, 0.9), hitOf(1, 0.4)], pending: 2 };
      attic.documents.push(document);
      const unknown = { ...hitOf(3, 1), doc_ref: 'none' };
      attic.hits = { hits: [unknown, hitOf(2, 0.7)], pending: 1, unsearched: ['slow'] };
      await eventually(() => expect(agent.computers.size).toBe(2));
      const options = { keywords: ['Report'], fileType: 'pdf', limit: 2 };
      expect(await agent.searchDocuments('some words', options)).toEqual({
        found: [
          { computer: 'desk', document, hit: hitOf(0, 0.9) },
          { computer: 'attic', document, hit: hitOf(2, 0.7) },
        ],
        pending: 3,
        unsearched: [{ computer: 'attic', reason: "MCP server 'slow' was not searched" }],
      });
      const [request] = attic.askedFor('client:get_finder');
      expect(request).toMatchObject({ content: 'some words', keywords: ['Report'], file_type: 'pdf', limit: 2 });
      const { found } = await agent.searchDocuments('words', { computers: ['attic'] });
      expect(found.map(({ computer }) => computer)).toEqual(['attic']);
    },
    'the hits of several Computers',
  );

  verifies('search.ignored', async () => {
    await using office = await openOffice();
    const { agent, computer, server } = office;
    await using attic = await ScriptedComputer.join(server.url, { name: 'attic' });
    await using cellar = await ScriptedComputer.join(server.url, { name: 'cellar' });
    for (const each of [computer, attic]) each.documents.push(document);
    attic.hits = { hits: [hitOf(1, 0.5)] };
    cellar.beforeAnswer = event => {
      if (event === 'client:get_finder') throw new SmcpError(500, 'No disk');
    };
    await eventually(() => expect(agent.computers.size).toBe(3));
    const { found, unsearched } = await agent.searchDocuments('words');
    expect(found).toEqual([{ computer: 'attic', document, hit: hitOf(1, 0.5) }]);
    expect(unsearched).toEqual([
      { computer: 'desk', reason: 'It cannot search inside documents' },
      { computer: 'cellar', reason: 'No disk' },
    ]);
    expect(await agent.getFinder('desk', { content: 'words' })).toEqual({ documents: [document], totalCount: 1 });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(agent.searchDocuments('words', { signal })).rejects.toThrow('enough');
  });
});

describe('walking through the pages of a document', () => {
  verifies('navigate.known', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    const count = 130;
    const entry = (index: number) => ({
      page_index: index,
      element_count: 0,
      ...(index !== 7 && { hash: `h${index}` }),
    });
    const entries = Array.from({ length: count }, (_, index) => entry(index));
    const index = { ...facts, page_count: count };
    publish(computer, `${uri}?depth=pages&offset=0&limit=100`, { ...index, pages: entries.slice(0, 100) });
    publish(computer, `${uri}?depth=pages&offset=100&limit=100`, { ...index, pages: entries.slice(100) });
    for (const page of [2, 7, 129]) publish(computer, `${uri}/pages/${page}?format=json`, pageOf(page));
    // Page 2 has another content now, page 7 has no hash, and page 129 is new.
    const known = entries.slice(0, 129).map(page => (page.page_index === 2 ? { ...page, hash: 'old' } : page));
    const walked = async () => {
      const seen: number[] = [];
      for await (const { page_index } of agent.pages('desk', uri, { known })) seen.push(page_index);
      return seen;
    };
    expect(await walked()).toEqual([2, 7, 129]);
    expect(readUris(computer)).toHaveLength(5);
    // A server without an index.
    publish(computer, `${uri}?depth=pages&offset=0&limit=100`, { ...facts, page_count: 2 });
    for (const page of [0, 1]) publish(computer, `${uri}/pages/${page}?format=json`, pageOf(page));
    expect(await walked()).toEqual([0, 1]);
  });

  test('walking through pages prefetches one', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    publish(computer, uri, facts);
    for (const index of [0, 1, 2]) publish(computer, `${uri}/pages/${index}?format=json`, pageOf(index));
    const seen: number[] = [];
    for await (const page of agent.pages('desk', uri)) {
      seen.push(page.page_index);
      const ahead = Math.min(page.page_index + 2, 3);
      await eventually(() => expect(readUris(computer)).toHaveLength(1 + ahead));
    }
    expect(seen).toEqual([0, 1, 2]);
  });

  test('walking through pages can stop at any page', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    publish(computer, uri, facts);
    publish(computer, `${uri}/pages/0?format=json`, pageOf(0));
    for await (const page of agent.pages('desk', uri)) {
      expect(page.page_index).toBe(0);
      break;
    }
  });

  test('walking through pages fails at a page that cannot be read', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    publish(computer, uri, facts);
    publish(computer, `${uri}/pages/0?format=json`, pageOf(0));
    const pages = agent.pages('desk', uri);
    expect((await pages.next()).value).toMatchObject({ page_index: 0 });
    await expect(pages.next()).rejects.toMatchObject({ code: 4201 });
  });
});

describe('the catalogue', () => {
  const documents: DPEDocumentSummary[] = Array.from({ length: 250 }, (_, index) => ({
    ...facts,
    server: 'files',
    title: index % 2 === 0 ? `Even ${index}` : `Odd ${index}`,
  }));

  verifies(
    'finder.page',
    async () => {
      await using office = await openOffice();
      const { agent, computer } = office;
      computer.documents.push(...documents);
      const page = await agent.getFinder('desk', { keywords: ['Odd'], fileType: 'pdf', offset: 120, limit: 10 });
      expect(page.totalCount).toBe(125);
      expect(page.documents).toHaveLength(5);
      expect((await agent.getFinder('desk')).documents).toHaveLength(20);
      const [asked, plain] = computer.askedFor('client:get_finder');
      expect(asked).toMatchObject({ keywords: ['Odd'], file_type: 'pdf', offset: 120, limit: 10 });
      for (const field of ['keywords', 'file_type', 'offset', 'limit']) expect(plain).not.toHaveProperty(field);
    },
    'the Agent gets a page and the number of matches',
  );

  test('the catalogue is walked through to its end', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    computer.documents.push(...documents);
    const titles: string[] = [];
    for await (const { title } of agent.documents('desk', { keywords: ['Even'], limit: 50 })) titles.push(title);
    expect(titles).toHaveLength(125);
    expect(new Set(titles).size).toBe(125);
    expect(computer.askedFor('client:get_finder')).toHaveLength(3);
  });
});

verifies(
  'tools.meta.a2c',
  async () => {
    await using office = await openOffice({ tools: { echo: () => text('hi'), plain: () => text('hi') } });
    const { agent, computer } = office;
    computer.descriptions.set('echo', {
      meta: {
        a2c_tool_meta: '{"auto_apply": true, "alias": null, "tags": ["t1"], "ret_object_mapper": null}',
        MCP_TOOL_ANNOTATION: '{"readOnlyHint": true}',
      },
    });
    computer.descriptions.set('plain', { meta: { a2c_tool_meta: 'not JSON' } });
    const [echo, plain] = await agent.getTools('desk');
    expect(toolMetaOf(echo!)).toEqual({ auto_apply: true, alias: null, tags: ['t1'], ret_object_mapper: null });
    expect(annotationsOf(echo!)).toEqual({ readOnlyHint: true });
    expect(toolMetaOf(plain!)).toEqual({});
    expect(annotationsOf(plain!)).toEqual({});
  },
  'the Agent parses it',
);
