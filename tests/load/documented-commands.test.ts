import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Computer } from '@a2c-smcp/computer';
import { DocumentLibrary, DocumentsHttpServer } from '@a2c-smcp/documents';
import { apiKeys, type ServerOptions, SmcpServer } from '@a2c-smcp/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPages } from '../build.ts';
import { hasRedis, TestRedis } from '../cluster/redis.ts';
import { startCluster, startSentinels } from '../cluster/redis-kinds.ts';
import { openProtectedServer } from '../computer/protected.ts';
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
    const listen = async (options: ServerOptions = {}) => {
      const server = await SmcpServer.listen({ port: 0, operatorKeys: [operatorKey], ...options });
      opened.push(() => server.close());
      return server.url;
    };
    const [office, empty] = [await listen(), await listen()];
    const keyed = await listen({ authenticate: apiKeys(operatorKey) });
    const library = await DocumentLibrary.open({
      folders: [join(root, 'examples/skills')],
      host: 'com.example.docs',
      watch: true,
    });
    const mcp = await DocumentsHttpServer.listen({ library });
    opened.push(() => mcp.close().then(() => library.close()));
    const computer = await Computer.open({ name: 'desk', servers: { desk, documents } });
    opened.push(() => computer.close());
    await computer.join(office, { office: 'demo' });
    const addresses = { 'http://127.0.0.1:3000/mcp': mcp.url, ...(hasRedis ? await startRedis() : {}) };
    stage = { office, empty, keyed, operatorKey, addresses };
  });
  /** Every kind of Redis that a Server can use. The longer address comes first, since it contains the other one. */
  const startRedis = async () => {
    const keep = <T extends AsyncDisposable>(resource: T): T => {
      opened.push(() => resource[Symbol.asyncDispose]());
      return resource;
    };
    const { shards } = keep(await startCluster());
    const { address } = keep(await startSentinels('mymaster'));
    return {
      'redis://10.0.0.5:6379,redis://10.0.0.6:6379': `${shards[0]?.url},${shards[1]?.url}`,
      'redis://10.0.0.5:6379': keep(await TestRedis.start()).url,
      '10.0.0.5:26379,10.0.0.6:26379': `${address},${address}`,
    };
  };
  afterAll(async () => {
    for (const close of opened.toReversed()) await close();
  });

  test.each(played)('$page', { timeout: 120_000 }, async ({ page, commands }) => {
    const addresses: Record<string, string> = { ...stage.addresses };
    if (page.endsWith('sign-in.md')) addresses['https://mcp.example.com/mcp'] = (await openProtectedServer()).url;
    await using story = new Story(page, { ...stage, addresses });
    for (const command of commands) {
      const ran = await story.run(command);
      const shown = outputs.find(output => output.page === page && output.command === command.text);
      if (shown) expect.soft(`${ran.out}\n${ran.err}`).toMatch(patternOf(shown.shows));
      expect.soft({ command: command.text, ...ran }).toMatchObject({ command: command.text, code: 0 });
    }
  });
});
