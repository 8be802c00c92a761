import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';

const request = { agent: 'a1', computer: 'c1', req_id: 'r1' };

async function openOffice(options: { forwardUnknown?: boolean } = {}) {
  const server = await SmcpServer.listen({ port: 0, ...options });
  const agent = await RawPeer.join(server.url, 'agent', 'a1', 'o1');
  const computer = await RawPeer.join(server.url, 'computer', 'c1', 'o1');
  return { server, agent, computer, [Symbol.asyncDispose]: () => server.close() };
}

describe('events of later versions of the protocol', () => {
  verifies(
    'forward.unknown',
    async () => {
      await using office = await openOffice();
      office.computer.reply('client:get_weather', ({ req_id }) => ({ weather: ['a'], req_id }));
      expect(await office.agent.ask('client:get_weather', request)).toEqual([{ weather: ['a'], req_id: 'r1' }]);
    },
    'requests',
  );

  verifies(
    'forward.unknown',
    async () => {
      await using office = await openOffice();
      expect(await office.computer.ask('server:update_weather', { computer: 'c1' })).toEqual([]);
      await office.agent.settled();
      expect(office.agent.payloads('notify:update_weather')).toEqual([{ computer: 'c1' }]);
    },
    'signals',
  );

  test('are held to the rules of those we know', async () => {
    await using office = await openOffice();
    const { agent, computer } = office;
    expect(await agent.ask('server:update_weather', { computer: 'a1' })).toMatchObject([{ code: 403 }]);
    expect(await computer.ask('server:update_weather', { computer: 'another' })).toMatchObject([{ code: 403 }]);
    expect(await computer.ask('server:update_weather', {})).toMatchObject([{ code: 400 }]);
    expect(await computer.ask('server:shut_down', { computer: 'c1' })).toMatchObject([{ code: 400 }]);
    await agent.settled();
    expect(agent.heard.filter(([event]) => event !== 'notify:enter_office')).toEqual([]);
  });

  verifies(
    'forward.unknown',
    async () => {
      await using office = await openOffice({ forwardUnknown: false });
      expect(await office.agent.ask('client:get_weather', request)).toMatchObject([{ code: 400 }]);
      expect(await office.computer.ask('server:update_weather', { computer: 'c1' })).toMatchObject([{ code: 400 }]);
      expect(await office.computer.ask('server:update_config', { computer: 'c1' })).toEqual([]);
    },
    'refused when the Server is told so',
  );
});
