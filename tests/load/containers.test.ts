import { Agent } from '@a2c-smcp/agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeBaseImages } from '../containers/base-images.ts';
import { ContainerEngine, reasonForNoContainers } from '../containers/engine.ts';
import { eventually } from '../eventually.ts';
import { CONTAINERS } from '../stories/not-run.ts';
import { stories } from '../stories/played.ts';

const LIMIT_MS = 600_000;
/** The port that the compose file publishes. */
const COMPOSE_URL = 'http://127.0.0.1:7000';
const KEY = 'a-key-for-clients-of-the-container';
const all = stories.flatMap(({ commands }) => commands.map(({ text }) => text)).filter(text => CONTAINERS.test(text));
const compose = all.find(text => text.includes('docker compose ')) ?? '';
const builds = all.filter(text => text !== compose);

/** A connection that is opened while the engine sets up its network may hang. */
async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
  return answer?.ok === true;
}

const obstacle = reasonForNoContainers();

describe('the containers of the documents', { timeout: LIMIT_MS }, () => {
  const engine = new ContainerEngine();
  beforeAll(async () => {
    if (!obstacle) await makeBaseImages(engine);
  }, LIMIT_MS);
  beforeEach(({ skip }) => skip(obstacle !== undefined, obstacle));
  afterAll(() => engine[Symbol.asyncDispose](), LIMIT_MS);

  test('docker build leaves an image whose Server is ready without a writable file', async () => {
    expect(builds).toEqual([expect.stringContaining('--target server --tag a2c-server')]);
    for (const command of builds) await engine.run(command);
    const options = `--rm --read-only --cap-drop ALL --env A2C_KEYS=${KEY} --publish 127.0.0.1::7000`;
    const id = (await engine.run(`docker run --detach ${options} a2c-server`)).trim();
    const [, port] = /:(\d+)\s*$/.exec(await engine.run(`docker port ${id} 7000`)) ?? [];
    await eventually(async () => expect(await isReady(`http://127.0.0.1:${port}`)).toBe(true));
    await engine.run(`docker stop ${id}`);
  });

  test('docker compose starts a Server, a Redis and a Computer, whose tools an Agent with the key sees', async () => {
    await using up = engine.start(compose.slice(compose.indexOf('docker ')), { A2C_KEY: KEY });
    await eventually(async () => {
      // One container waits for the health of another.
      await engine.checkHealth();
      expect(await isReady(COMPOSE_URL), up.output).toBe(true);
    }, LIMIT_MS / 2);
    const options = { name: 'assistant', office: 'demo', headers: { 'x-api-key': KEY } };
    await using agent = await Agent.connect(COMPOSE_URL, options);
    const { computer } = await agent.waitFor({ tool: 'echo' }, { timeout: LIMIT_MS / 4 });
    expect(computer).toBe('container');
    const stranger = Agent.connect(COMPOSE_URL, { ...options, office: 'other', headers: {} });
    await expect(stranger).rejects.toMatchObject({ code: 401 });
  });
});
