import { describe, expect, test } from 'vitest';
import { serveOverHttp, type TarEntry, tarGz } from '../computer/archives.ts';
import { openPublishing } from '../computer/publishing.ts';

const entry = { path: 'SKILL.md', content: '---\nname: one\ndescription: From a server\n---\n# One' };

/** The names of the skills of a Computer whose MCP server has one, in an archive with these members. */
async function namesWith(...members: TarEntry[]): Promise<string[]> {
  let names: string[] = [];
  await serveOverHttp(tarGz([entry, ...members]), async archive_uri => {
    const _meta = { source: 'archive', archive_uri, archive_format: 'tar.gz' };
    const resources = [{ uri: 'skill://com.example.app/one', name: 'one', _meta }];
    await using office = await openPublishing({ app: { resources } });
    names = (await office.ask('client:get_skills')).skills.map(({ name }) => name);
  });
  return names;
}

describe('a skill in an archive', { timeout: 60_000 }, () => {
  const folders = (count: number) => Array.from({ length: count }, (_, index) => ({ path: `d${index}`, type: '5' }));

  test('a skill in an archive with many members is listed', async () => {
    expect(await namesWith(...folders(9000))).toEqual(['mcp:app:one']);
  });

  test('a skill in an archive with more than 10,000 members is left out', async () => {
    expect(await namesWith(...folders(10_001))).toEqual([]);
  });

  test('a skill in an archive that unpacks to more than 256 MiB is left out', async () => {
    expect(await namesWith({ path: 'zeros.bin', content: Buffer.alloc(300 * 1024 * 1024) })).toEqual([]);
  });
});
