import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Computer } from '@a2c-smcp/computer';
import { DocumentLibrary, DocumentsHttpServer } from '@a2c-smcp/documents';
import { SmcpServer } from '@a2c-smcp/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPages } from '../build.ts';
import { hasRedis, TestRedis } from '../cluster/redis.ts';
import { root } from '../packages.ts';
import { outputs, patternOf } from '../stories/outputs.ts';
import { played } from '../stories/played.ts';
import { desk, documents } from '../stories/scenery.ts';
import { type Stage, Story } from '../stories/story.ts';

// Some commands serve the console.
beforeAll(buildPages, 120_000);

describe('the commands of a page work in its order', () => {
  const opened: (() => unknown)[] = [];
  let stage: Stage;

  beforeAll(async () => {
    const operatorKey = randomBytes(16).toString('hex');
    const listen = async () => {
      const server = await SmcpServer.listen({ port: 0, operatorKeys: [operatorKey] });
      opened.push(() => server.close());
      return server.url;
    };
    const [office, empty] = [await listen(), await listen()];
    const library = await DocumentLibrary.open({
      folders: [join(root, 'examples/skills')],
      host: 'com.example.docs',
      watch: true,
    });
    const mcp = await DocumentsHttpServer.listen({ library });
    opened.push(() => mcp.close().then(() => library.close()));
    const redis = hasRedis ? await TestRedis.start() : undefined;
    opened.push(() => redis?.[Symbol.asyncDispose]());
    const computer = await Computer.open({ name: 'desk', servers: { desk, documents } });
    opened.push(() => computer.close());
    await computer.join(office, { office: 'demo' });
    stage = { office, empty, operatorKey, mcp: mcp.url, redis: redis?.url ?? '' };
  });
  afterAll(async () => {
    for (const close of opened.toReversed()) await close();
  });

  test.each(played)('$page', { timeout: 120_000 }, async ({ page, commands }) => {
    await using story = new Story(page, stage);
    for (const command of commands) {
      const ran = await story.run(command);
      const shown = outputs.find(output => output.page === page && output.command === command.text);
      if (shown) expect.soft(`${ran.out}\n${ran.err}`).toMatch(patternOf(shown.shows));
      expect.soft({ command: command.text, ...ran }).toMatchObject({ command: command.text, code: 0 });
    }
  });
});
