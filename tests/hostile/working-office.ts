import { type RawOptions, RawPeer } from '@a2c-smcp/testing';
import { expect } from 'vitest';

export interface Work {
  answered: number;
  /** The longest time from request to answer, in milliseconds. */
  slowest: number;
  /** Notifications that the office received; nothing happens in it. */
  heard: unknown[];
}

/** An office that works while others are attacked: its Agent calls its Computer again and again. */
export async function openWorkingOffice(url: string, options?: RawOptions): Promise<{ stop(): Promise<Work> }> {
  const agent = await RawPeer.join(url, 'agent', 'a1', 'working', options);
  const computer = await RawPeer.join(url, 'computer', 'c1', 'working', options);
  computer.reply('client:get_tools', ({ req_id }) => ({ tools: [], req_id }));
  let answered = 0;
  let slowest = 0;
  let stopped = false;
  const call = async () => {
    const req_id = `w${answered}`;
    const started = performance.now();
    const answer = await agent.ask('client:get_tools', { agent: 'a1', computer: 'c1', req_id });
    expect(answer).toEqual([{ tools: [], req_id }]);
    slowest = Math.max(slowest, performance.now() - started);
    answered += 1;
    // Below the rate at which the Server refuses events.
    await new Promise(resolve => setTimeout(resolve, 2));
  };
  const working = (async () => {
    while (!stopped) await call();
  })();
  return {
    async stop() {
      stopped = true;
      await working;
      await call();
      agent.close();
      computer.close();
      const heard = [...agent.payloads('notify:leave_office'), ...agent.payloads('notify:update_config')];
      return { answered, slowest, heard };
    },
  };
}
