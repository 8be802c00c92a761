import { readFileSync, writeFileSync } from 'node:fs';
import { Agent } from '@a2c-smcp/agent';
import { SmcpServer } from '@a2c-smcp/server';
import { describe, expect, test } from 'vitest';
import type { Terminal } from '../../packages/cli/src/keyboard/terminal.ts';
import { a2c, startA2c } from './a2c.ts';
import { configFile } from './config-file.ts';

describe('a2c computer as a service', () => {
  test('joins with the tools of its configuration and the inputs it was given', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const config = configFile(undefined, { default_tool_meta: { auto_apply: true } });
    const words = [
      '--url',
      server.url,
      '--office',
      'o',
      '--name',
      'desk',
      '--config',
      config,
      '--input',
      'token=s3cret',
    ];
    const computer = startA2c(['computer', ...words]);
    await computer.shows("Computer 'desk' is in office 'o'");
    await using agent = await Agent.connect(server.url, { name: 'a', office: 'o' });
    const result = await agent.callTool({ computer: 'desk', tool: 'env', params: { name: 'TOKEN' } });
    expect(result.content[0]?.text).toContain('s3cret');
    expect(await computer.stop()).toMatchObject({ code: 0 });
    expect(computer.out + computer.err).not.toContain('s3cret');
    await expect.poll(() => agent.computers.size).toBe(0);
  });

  test('runs no tool that nobody could be asked about', async () => {
    await using server = await SmcpServer.listen({ port: 0 });
    const computer = startA2c(['computer', '--url', server.url, '--name', 'desk', '--config', configFile()]);
    await computer.shows("Computer 'desk'");
    await using agent = await Agent.connect(server.url, { name: 'a', office: 'demo' });
    const result = await agent.callTool({ computer: 'desk', tool: 'echo' });
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4005 } });
    await computer.stop();
  });

  test('tells when the connection is lost and when it is back', async () => {
    const first = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
    const port = Number(new URL(first.url).port);
    const computer = startA2c(['computer', '--url', first.url, '--name', 'desk']);
    await computer.shows("Computer 'desk'");
    await first.close();
    await computer.shows('The connection is lost');
    await using _second = await SmcpServer.listen({ port });
    await computer.shows('Connected');
    expect((await computer.stop()).code).toBe(0);
  });
});

describe('the inputs of the shell', () => {
  /** Types lines into the shell of a Computer without a connection, answers its questions, and gives what it printed. */
  async function shell(config: string, lines: string[], answers: Record<string, string> = {}): Promise<string> {
    const asked: string[] = [];
    const terminal: Terminal = {
      size: { rows: 24, columns: 80 },
      async ask(question) {
        asked.push(question);
        return answers[question.replace(/^\? | \[.*|: $/g, '')] ?? 'y';
      },
      async readCommands(reader, signal) {
        for (const line of [...lines, 'quit']) await reader.onLine(line, signal);
      },
      status() {},
    };
    const { out, err } = await a2c(['computer', '--offline', '--config', config, '--log-level', 'off'], { terminal });
    return [...asked, out, err].join('\n');
  }

  test('stay as they were when another one is defined', async () => {
    const config = configFile();
    const more = JSON.stringify({ id: 'more', type: 'promptString', description: 'More', default: 'x' });
    const define = [`inputs add ${more}`, 'inputs value clear', 'start scripted', 'call env'];
    const shown = await shell(config, define, { 'The token': '' });
    expect(shown).toContain('2 inputs');
    expect(shown).toMatch(/"?TOKEN\\?": ?\\?"none/);
  });

  test('are asked for anew by a server that is added from another file', async () => {
    const other = configFile({ tools: ['other-env'] });
    writeFileSync(other, readFileSync(other, 'utf8').replace('"scripted"', '"other"'));
    const shown = await shell(configFile(), [`server add @${other}`], { 'The token': 'typed' });
    expect(shown.match(/The token/g)).toHaveLength(2);
  });
});
