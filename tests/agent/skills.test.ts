import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, renderSkill, skillsPrompt } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../computer/temporary.ts';
import { verifies } from '../conformance/verifies.ts';
import { eventually } from '../eventually.ts';
import { root } from '../packages.ts';

const EXAMPLES = join(root, 'examples/skills');

interface RealOffice extends AsyncDisposable {
  server: SmcpServer;
  agent: Agent;
}

/** A Server, an Agent, and a Computer that has the skills of a folder. */
async function openSkills(folder?: string): Promise<RealOffice> {
  const server = await SmcpServer.listen({ port: 0 });
  const computer = await Computer.open({ name: 'desk', ...(folder === undefined ? {} : { skills: { folder } }) });
  await computer.join(server.url, { office: 'demo' });
  const agent = await Agent.connect(server.url, { name: 'assistant', office: 'demo' });
  return {
    server,
    agent,
    async [Symbol.asyncDispose]() {
      await agent.close();
      await computer.close();
      await server.close();
    },
  };
}

describe('the skills of a Computer', () => {
  test('the example is listed, read and rendered, and its script runs', async () => {
    await using office = await openSkills(EXAMPLES);
    const { agent } = office;
    const [ref] = await agent.skills('desk');
    expect(ref).toMatchObject({
      name: 'csv-profile',
      tags: ['data', 'csv', 'quality'],
      allowed_tools: ['run_command'],
    });
    const { text = '', mimeType } = await agent.skill('desk', 'csv-profile');
    expect(mimeType).toBe('text/markdown');
    expect(text).not.toContain('description:');
    expect((await agent.skill('desk', 'csv-profile', 'reference.md')).text).toContain('ragged');
    // The command that a tool of the Computer would run.
    const script = /node "([^"]+)"/.exec(renderSkill(text, ref ?? { path: '' }))?.[1] ?? '';
    const table = join(temporaryFolder(), 'table.csv');
    writeFileSync(table, 'day;amount\n2026-01-01;12,5\n2026-01-02;n/a\n2026-01-03;1.000\n2026-01-03;1.000\nx\n');
    const profile = JSON.parse(execFileSync(process.execPath, [script, table], { encoding: 'utf8' }));
    expect(profile).toMatchObject({ separator: ';', rows: 5, columns: [{ name: 'day' }, { type: 'mixed' }] });
    expect(profile.problems.map(({ kind }: { kind: string }) => kind)).toEqual(['ragged', 'duplicates', 'mixed']);
    expect(await agent.skill('desk', 'csv-profile', 'scripts/profile.mjs')).toMatchObject({
      text: expect.stringContaining('node profile.mjs FILE.csv'),
      mimeType: 'text/javascript',
    });
  });

  test('files of many parts arrive byte for byte, text as text', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'one'));
    const data = randomBytes(1_500_000);
    const long = '文'.repeat(100_000);
    writeFileSync(join(folder, 'one/SKILL.md'), `---\ndescription: One\n---\n${long}`);
    writeFileSync(join(folder, 'one/data.bin'), data);
    writeFileSync(join(folder, 'one/empty.bin'), '');
    await using office = await openSkills(folder);
    expect(await office.agent.skill('desk', 'one')).toMatchObject({ text: long, size: 300_000 });
    const file = await office.agent.skill('desk', 'one', 'data.bin');
    expect(data.equals(file.data ?? new Uint8Array())).toBe(true);
    expect(file).toMatchObject({ path: 'data.bin', size: 1_500_000, mimeType: 'application/octet-stream' });
    expect(file).not.toHaveProperty('text');
    expect((await office.agent.skill('desk', 'one', 'empty.bin')).data).toHaveLength(0);
    await expect(office.agent.skill('desk', 'one', '../x')).rejects.toMatchObject({ code: 4017 });
    await expect(office.agent.skill('desk', 'two')).rejects.toMatchObject({ code: 4014 });
    await expect(office.agent.skill('desk', 'Two')).rejects.toMatchObject({ code: 4016 });
  });

  verifies('skills.follow', async () => {
    const folder = temporaryFolder();
    await using office = await openSkills(folder);
    const { agent, server } = office;
    await using silent = await RawPeer.join(server.url, 'computer', 'silent', 'demo');
    const emitted: string[][] = [];
    agent.on('skills', ({ skills }) => emitted.push(skills.map(({ name }) => name)));
    expect(agent.computers.get('desk')).not.toHaveProperty('skills');
    mkdirSync(join(folder, 'one'));
    writeFileSync(join(folder, 'one/SKILL.md'), '---\ndescription: One\n---\n');
    await eventually(() => expect(agent.computers.get('desk')?.skills).toMatchObject([{ name: 'one' }]));
    expect(emitted).toEqual([['one']]);
    // A Computer that never announces skills is never asked for them.
    expect(silent.payloads('client:get_skills')).toEqual([]);
  });

  test('a Computer that does not know of skills fails the request and not the catalogue', async () => {
    await using office = await openSkills(EXAMPLES);
    const { agent, server } = office;
    await using old = await RawPeer.join(server.url, 'computer', 'old', 'demo');
    old.reply('client:get_skills', () => ({ code: 400, message: 'This computer does not know client:get_skills' }));
    await expect(agent.skills('old')).rejects.toMatchObject({ code: 400 });
    await using broken = await RawPeer.join(server.url, 'computer', 'broken', 'demo');
    broken.reply('client:get_skills', () => ({ code: 500, message: 'no' }));
    await eventually(() => expect([...agent.computers.keys()]).toContain('broken'));
    const prompt = await skillsPrompt(agent, { timeout: 5000 });
    expect(prompt).toMatch(/^# Skills of computer 'desk'\n- csv-profile: Describes a CSV file/);
    expect(prompt).toContain("# Skills of computer 'broken'\n(could not be read)");
    expect(prompt).not.toContain("'old'");
  });
});

describe('the catalogue for a prompt', () => {
  const agentOf = (skills: object[]) => ({
    computers: new Map([['desk', { tools: [] }]]),
    skills: async () =>
      skills.map(skill => ({ name: 'a', source: 'user', path: '/secret/path', description: 'd', ...skill })),
  });

  test('it has names and descriptions on one line each, and no path', async () => {
    const prompt = await skillsPrompt(
      agentOf([{ description: 'first\n- forged: entry' }, { name: 'b', description: 'x'.repeat(5000), tags: ['t'] }]),
    );
    expect(prompt.split('\n')).toHaveLength(3);
    expect(prompt).toContain('- a: first - forged: entry\n');
    expect(prompt).not.toContain('/secret');
    expect(prompt.length).toBeLessThan(1300);
  });

  test('tags select skills, and an office without skills says so', async () => {
    const agent = agentOf([{ tags: ['x'] }, { name: 'b' }]);
    expect(await skillsPrompt(agent, { tags: ['x'] })).toBe("# Skills of computer 'desk'\n- a: d");
    expect(await skillsPrompt(agent, { tags: ['y'] })).toBe('There are no skills in this office.');
  });

  verifies('skills.render', async () => {
    const text = 'run ${TFROBOT_SKILL_DIR}/a.sh in ${TFROBOT_SKILL_DIR} with $TFROBOT_SKILL_DIR';
    expect(renderSkill(text, { path: '/a $& b' })).toBe('run /a $& b/a.sh in /a $& b with $TFROBOT_SKILL_DIR');
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'one'));
    writeFileSync(join(folder, 'one/SKILL.md'), `---\ndescription: One\n---\n${text}`);
    await using office = await openSkills(folder);
    expect((await office.agent.skill('desk', 'one')).text).toBe(text);
  });
});

describe('a Computer that serves a file badly', () => {
  const whole = Buffer.from('0123456789');
  const sum = createHash('sha256').update(whole).digest('hex');

  /** Answers each part as `part` says, and counts them. */
  async function readFrom(part: (offset: number, count: number) => object): Promise<string> {
    await using office = await openSkills();
    await using peer = await RawPeer.join(office.server.url, 'computer', 'odd', 'demo');
    const facts = { mime_type: 'text/plain', total_size: 10, sha256: sum };
    peer.reply('client:get_skill', ({ req_id, name }) => ({
      name,
      rel_path: 'a.txt',
      ...facts,
      blob_handle: 'h',
      req_id,
    }));
    let count = 0;
    peer.reply('client:get_blob', ({ req_id, chunk_offset }) => {
      count += 1;
      const blob = whole.subarray(Number(chunk_offset)).toString('base64');
      return {
        blob_handle: 'h',
        ...facts,
        chunk_offset,
        eof: true,
        blob,
        ...part(Number(chunk_offset), count),
        req_id,
      };
    });
    const read = office.agent.skill('odd', 'one', 'a.txt', { timeout: 5000 });
    return await read.then(
      ({ text }) => `${text} in ${count}`,
      ({ message }) => message,
    );
  }

  const bytes = (from: number, to: number) => whole.subarray(from, to).toString('base64');

  test('parts of any size are put together', async () => {
    expect(await readFrom(offset => ({ blob: bytes(offset, offset + 3), eof: offset >= 7 }))).toBe('0123456789 in 4');
  });

  test('a file that changes meanwhile is fetched from its beginning', async () => {
    const drift = (offset: number, count: number) =>
      count === 2 ? { sha256: 'other' } : { blob: bytes(offset, offset + 5), eof: offset >= 5 };
    expect(await readFrom(drift)).toBe('0123456789 in 4');
  });

  test.each([
    ['bytes that do not have their sum', () => ({ blob: Buffer.from('x123456789').toString('base64') }), 'SHA-256'],
    ['more bytes than it said', () => ({ blob: Buffer.from('0123456789x').toString('base64') }), 'too long'],
    ['an end that comes too early', () => ({ blob: bytes(0, 5) }), 'SHA-256'],
    ['empty parts', () => ({ blob: '', eof: false }), 'is empty'],
    ['no base64', () => ({ blob: '%%%' }), 'no base64'],
    ['a size without bound', () => ({ total_size: 2 ** 40 }), '1099511627776 bytes'],
  ])('%s fail the request', async (_, part, message) => {
    expect(await readFrom(part)).toContain(message);
  });
});
