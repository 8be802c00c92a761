import {
  cpSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { extname, join } from 'node:path';
import { DocumentLibrary } from '@a2c-smcp/documents';
import { describe, expect, test } from 'vitest';
import { LocalSessions } from '../../packages/documents/src/sessions/local.ts';
import { examples, temporaryFolder } from '../documents/client.ts';

/** Puts a link to a folder in the place of another one. */
function exchange(folder: string, target: string): void {
  renameSync(folder, `${folder}-before`);
  symlinkSync(target, folder);
}

describe.runIf(process.platform !== 'win32')('a folder that became a link to the outside', () => {
  const names = readdirSync(examples).filter(name => statSync(join(examples, name)).isFile());

  test.each(names)('a folder that became a link gives nothing of %s', async name => {
    using shared = temporaryFolder();
    const folder = realpathSync(shared.path);
    symlinkSync(examples, join(folder, 'sub'));
    const path = join(folder, 'sub', name);
    const type = extname(name).slice(1);
    const file = { path, folders: [folder], name: 'file', type, size: statSync(path).size, modified: 1 };
    const sessions = new LocalSessions();
    const { title, problem } = (await sessions.synopsis(file)).synopsis;
    const { elements } = (await sessions.page(file, 0)).pages[0] ?? {};
    await sessions.close();
    expect({ title, problem }).toEqual({ title: undefined, problem: expect.stringMatching(/outside/) });
    expect(JSON.parse(Buffer.from(elements ?? []).toString())).toMatchObject([
      { category: 'annotation', summary: expect.stringMatching(/cannot be read.*outside/) },
    ]);
  });

  test('a folder that became a link gives nothing to a later part of the catalogue', async () => {
    using outside = temporaryFolder();
    using shared = temporaryFolder();
    writeFileSync(join(outside.path, 'x.md'), '# Private title\n\nPrivate text\n');
    writeFileSync(join(shared.path, 'a.md'), '# A\n');
    mkdirSync(join(shared.path, 'sub'));
    writeFileSync(join(shared.path, 'sub/x.md'), '# Own title\n\nOwn text\n');
    await using library = await DocumentLibrary.open({ folders: [shared.path] });
    exchange(join(shared.path, 'sub'), outside.path);
    const { documents } = await library.list({ offset: 1 });
    expect(documents).toHaveLength(1);
    expect(JSON.stringify(documents)).not.toMatch(/Private/);
  });

  test('a folder that became a link into another shared folder is still read', async () => {
    using first = temporaryFolder();
    using second = temporaryFolder();
    const folders = [realpathSync(first.path), realpathSync(second.path)];
    cpSync(join(examples, 'report.docx'), join(second.path, 'report.docx'));
    symlinkSync(second.path, join(first.path, 'sub'));
    const path = join(first.path, 'sub/report.docx');
    const sessions = new LocalSessions();
    const file = { path, folders, name: 'file', type: 'docx', size: statSync(path).size, modified: 1 };
    expect((await sessions.synopsis(file)).synopsis.problem).toBeUndefined();
    await sessions.close();
  });
});
