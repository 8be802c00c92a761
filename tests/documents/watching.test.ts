import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { DocumentsClient, temporaryFolder } from './client.ts';

/** A watched folder with two documents, and a client that subscribes to changes in the way of its era. */
async function openWatched(era: 'legacy' | 'modern') {
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, 'a.md'), '# First\n');
  writeFileSync(join(folder.path, 'b.md'), '# Second\n');
  const client = await DocumentsClient.open([folder.path, '--watch'], { modern: era === 'modern' });
  // In the index from here on, so that listings announce nothing later.
  for (const name of ['a.md', 'b.md']) await client.document(`dpe://documents/${name}`);
  const notified: string[] = [];
  client.mcp.setNotificationHandler('notifications/resources/list_changed', () => void notified.push('list'));
  client.mcp.setNotificationHandler('notifications/resources/updated', ({ params }) => void notified.push(params.uri));
  const uris = ['dpe://documents/a.md', 'dpe://documents/b.md', 'dpe://documents/a.md/pages/0'];
  if (era === 'modern') await client.mcp.listen({ resourceSubscriptions: uris, resourcesListChanged: true });
  else for (const uri of uris) await client.mcp.subscribeResource({ uri });
  return {
    client,
    notified,
    path: (name: string) => join(folder.path, name),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

describe.each(['legacy', 'modern'] as const)('a client of the %s era', era => {
  let watched: Awaited<ReturnType<typeof openWatched>>;
  beforeAll(async () => {
    watched = await openWatched(era);
  });
  beforeEach(() => void watched.notified.splice(0));
  afterAll(() => watched?.[Symbol.asyncDispose]());

  verifies(
    'mcp-server.notifies',
    async () => {
      writeFileSync(watched.path('a.md'), '# First, changed\n\nAnd longer.\n');
      await eventually(() => expect(watched.notified).toContain('dpe://documents/a.md'));
      expect(watched.notified).not.toContain('list');
      expect(watched.notified).not.toContain('dpe://documents/b.md');
      expect(await watched.client.document('dpe://documents/a.md')).toMatchObject({ title: 'First, changed' });
    },
    `an edit, ${era}`,
  );

  verifies(
    'mcp-server.notifies',
    async () => {
      writeFileSync(watched.path('c.md'), '# Third\n');
      await eventually(() => expect(watched.notified).toEqual(['list']));
      renameSync(watched.path('c.md'), watched.path('d.md'));
      await eventually(() => expect(watched.notified).toEqual(['list', 'list']));
      rmSync(watched.path('d.md'));
      await eventually(() => expect(watched.notified).toEqual(['list', 'list', 'list']));
      const { documents } = await watched.client.catalog('dpe://documents');
      expect(documents.map(({ uri }) => uri)).toEqual(['dpe://documents/a.md', 'dpe://documents/b.md']);
    },
    `adding, renaming and deleting, ${era}`,
  );

  verifies(
    'mcp-server.notifies',
    async () => {
      writeFileSync(watched.path('.a.md.swp'), '# First, saved by renaming\n');
      renameSync(watched.path('.a.md.swp'), watched.path('a.md'));
      await eventually(() => expect(watched.notified).toContain('dpe://documents/a.md'));
      writeFileSync(watched.path('b.md'), '# Second, changed after it\n');
      await eventually(() => expect(watched.notified).toContain('dpe://documents/b.md'));
      expect(watched.notified).not.toContain('list');
      expect(watched.notified.filter(uri => uri === 'dpe://documents/a.md')).toHaveLength(1);
    },
    `an editor that saves by renaming is one update, ${era}`,
  );
});
