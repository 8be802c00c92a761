import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Computer } from '@a2c-smcp/computer';
import type { A2CSkillRef } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../computer/temporary.ts';
import { root } from '../packages.ts';
import { a2c, startA2c } from './a2c.ts';
import { hasPseudoTerminal, Key, openTerminal } from './pseudo-terminal.ts';
import { PROMPT } from './shell.ts';

const EXAMPLES = join(root, 'examples/skills');
let server: SmcpServer;
let computer: Computer;
beforeAll(async () => {
  server = await SmcpServer.listen({ port: 0 });
  computer = await Computer.open({ name: 'desk', skills: { folder: EXAMPLES } });
  await computer.join(server.url, { office: 'demo' });
}, 120_000);
afterAll(async () => {
  await computer.close();
  await server.close();
});

const agent = (...words: string[]) => a2c(['agent', ...words, '--url', server.url]);

describe('skills at the command line', () => {
  test('a2c agent skills prints names and descriptions without folders, and JSON with them', async () => {
    const { out, code } = await agent('skills');
    expect(code).toBe(0);
    expect(out).toMatch(/^NAME +SOURCE +DESCRIPTION\ncsv-profile +user +Describes a CSV file/);
    expect(out).not.toContain(EXAMPLES);
    const [skill] = (await agent('skills', '--json')).json<A2CSkillRef[]>();
    expect(skill).toMatchObject({ name: 'csv-profile', path: join(EXAMPLES, 'csv-profile') });
  });

  test('a2c agent skill prints the instructions as a model gets them, or another file', async () => {
    const { out } = await agent('skill', 'csv-profile');
    expect(out).toMatch(/^\n?# Profile a CSV file/);
    expect(out).toContain(`node "${join(EXAMPLES, 'csv-profile')}/scripts/profile.mjs"`);
    const script = await agent('skill', 'csv-profile', 'scripts/profile.mjs');
    expect(script.out).toBe(readFileSync(join(EXAMPLES, 'csv-profile/scripts/profile.mjs'), 'utf8').trimEnd());
    const json = (await agent('skill', 'csv-profile', '--json')).json<{ text: string }>();
    expect(json).toMatchObject({ path: 'SKILL.md', mimeType: 'text/markdown' });
    expect(json.text).toContain('${TFROBOT_SKILL_DIR}');
  });

  test('a2c agent skill reports what it cannot read in one line, with the right exit code', async () => {
    expect(await agent('skill')).toMatchObject({ code: 2, err: expect.stringContaining('Which skill?') });
    for (const words of [['nothing'], ['csv-profile', '../x'], ['csv-profile', '.skillenv'], ['Not A Name']]) {
      const { code, err, out } = await agent('skill', ...words);
      expect(code, words.join(' ')).toBe(1);
      expect(err.split('\n')).toHaveLength(1);
      expect(out).toBe('');
    }
  });

  test('a2c agent skill says what bytes are, and --json has them', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'one'));
    writeFileSync(join(folder, 'one/SKILL.md'), '---\ndescription: One\n---\n');
    writeFileSync(join(folder, 'one/a.png'), Buffer.from([1, 2, 3]));
    const running = startA2c(['computer', '--url', server.url, '--name', 'lab', '--skills', folder]);
    await running.shows("Computer 'lab' is in office");
    const words = ['skill', 'one', 'a.png', '-c', 'lab'];
    expect((await agent(...words)).out).toBe('[image/png, 3 bytes: --json shows it as base64]');
    expect((await agent(...words, '--json')).json()).toMatchObject({ blob: 'AQID', size: 3 });
    expect((await running.stop()).code).toBe(0);
  });

  test('a2c computer --skills names a folder that is not there', async () => {
    const { code, err } = await a2c(['computer', '--offline', '--skills', join(temporaryFolder(), 'missing')]);
    expect(code).not.toBe(0);
    expect(err).toMatch(/skills\.folder: '.*missing' is no folder/);
  });

  test.runIf(hasPseudoTerminal)('the shell of a Computer shows its skills', async () => {
    const words = ['computer', '--offline', '--name', 'desk', '--skills', EXAMPLES];
    await using terminal = openTerminal(words);
    await terminal.shows(PROMPT);
    terminal.type(`skills${Key.enter}`);
    await terminal.shows(/csv-profile +user +Describes/);
    terminal.type(`quit${Key.enter}`);
    expect(await terminal.ended).toBe(0);
  });
});
