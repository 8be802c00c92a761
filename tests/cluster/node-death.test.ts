import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { root } from '../packages.ts';
import { hasRedis, TestRedis } from './redis.ts';

/** A node in a process of its own, which can be killed. */
async function startNode(redis: string): Promise<{ process: ChildProcess; url: string }> {
  const node = fork(join(root, 'tests/cluster/node-process.mjs'), [JSON.stringify({ redis })], { execArgv: [] });
  const [{ url }] = (await once(node, 'message')) as [{ url: string }];
  return { process: node, url };
}

const request = (reqId: string, more: object = {}) => ({ agent: 'a1', computer: 'c1', req_id: reqId, ...more });

describe.runIf(hasRedis)('when a node dies', { timeout: 90_000 }, () => {
  test.each(['SIGKILL', 'SIGSTOP'] as const)(
    'of %s, its members vanish and calls to them are answered',
    async signal => {
      await using redis = await TestRedis.start();
      const [one, two] = [await startNode(redis.url), await startNode(redis.url)];
      try {
        await using agent = await RawPeer.join(one.url, 'agent', 'a1', 'o1');
        await using near = await RawPeer.join(one.url, 'computer', 'near', 'o1');
        near.reply('client:get_tools', () => 'near');
        const far = await RawPeer.join(two.url, 'computer', 'c1', 'o1');
        const answers: unknown[] = [];
        const call = request('r1', { tool_name: 't', params: {}, timeout: 60 });
        agent.socket.emit('client:tool_call', call, (answer: unknown) => answers.push(answer));
        await eventually(() => expect(far.payloads('client:tool_call')).toHaveLength(1));

        two.process.kill(signal);
        expect(await agent.ask('client:get_tools', request('r2', { computer: 'near' }))).toEqual(['near']);
        const disconnected = expect.objectContaining({ details: { reason: 'computer_disconnected' } });
        if (signal === 'SIGKILL') {
          // Long before the lease of the node ends, and for calls that begin now as well.
          await eventually(() => expect(answers).toEqual([disconnected]), 3000);
          expect(await agent.ask('client:get_tools', request('r3'))).toEqual([disconnected]);
          expect(agent.payloads('notify:leave_office')).toEqual([]);
        }
        await eventually(
          () => {
            expect(answers).toEqual([disconnected]);
            expect(agent.payloads('notify:leave_office')).toEqual([{ office_id: 'o1', computer: 'c1' }]);
          },
          20_000,
          200,
        );
        await using next = await RawPeer.connect(one.url);
        expect(await next.enter('computer', 'c1', 'o1')).toEqual([true, null]);
        far.close();
      } finally {
        for (const node of [one, two]) node.process.kill('SIGKILL');
      }
    },
  );
});
