import { type ListenOptions, SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { TestRedis } from './redis.ts';

/** A request of the Agent `a1` to the Computer `c1`. */
export const request = (reqId: string, more: object = {}) => ({ agent: 'a1', computer: 'c1', req_id: reqId, ...more });

export const toolCall = (reqId: string, more: object = {}) =>
  request(reqId, { tool_name: 't', params: {}, timeout: 60, ...more });

/** Two nodes with a Redis of their own. Takes further options of `redis-server`. */
export async function openNodes(options: ListenOptions = {}, redisOptions: string[] = []) {
  const redis = await TestRedis.start(redisOptions);
  const listen = () => SmcpServer.listen({ port: 0, redis: redis.url, ...options });
  const [one, two] = await Promise.all([listen(), listen()]);
  return {
    redis,
    one,
    two,
    async [Symbol.asyncDispose]() {
      await Promise.all([one.close(), two.close()]);
      await redis[Symbol.asyncDispose]();
    },
  };
}

/** Two nodes, the Agent `a1` on one of them and the Computer `c1` on the other, which answers `client:get_tools`. */
export async function openOffice(options: ListenOptions = {}, redisOptions: string[] = []) {
  const nodes = await openNodes(options, redisOptions);
  const agent = await RawPeer.join(nodes.one.url, 'agent', 'a1', 'o1');
  const computer = await RawPeer.join(nodes.two.url, 'computer', 'c1', 'o1');
  computer.reply('client:get_tools', () => 'answer');
  let count = 0;
  return {
    ...nodes,
    agent,
    computer,
    /** Calls the Computer across the nodes. */
    call: async () => (await agent.ask('client:get_tools', request(`call-${++count}`)))[0],
    async [Symbol.asyncDispose]() {
      agent.close();
      computer.close();
      await nodes[Symbol.asyncDispose]();
    },
  };
}
