import { frameText, type TracedFrame } from '@a2c-smcp/core';
import { Peer, type PeerOptions } from '@a2c-smcp/peer';
import { SmcpServer } from '@a2c-smcp/server';
import { describe, expect, test, vi } from 'vitest';
import { eventually } from './eventually.ts';

const ways = { polling: ['polling'], webSocket: ['websocket'], upgraded: ['polling', 'websocket'] } as const;

/** Frames without what differs from run to run, and without heartbeats. */
function shown(frames: readonly TracedFrame[], at: string): string[] {
  return frames
    .filter(frame => frame.at === at && /^4[0-3]/.test(frame.text))
    .map(({ direction, text }) => `${direction} ${text.replace(/^(4[23]\/smcp,)\d+/, '$1N').slice(0, 40)}`);
}

describe.each(Object.entries(ways))('over %s', (_, transports) => {
  test.each([true, false])('every frame is traced on both ends, with fastPath: %s', async fastPath => {
    const frames: TracedFrame[] = [];
    const trace = (frame: TracedFrame) => void frames.push(frame);
    await using server = await SmcpServer.listen({ port: 0, fastPath, trace });
    const join = (role: PeerOptions['role'], name: string, more: Partial<PeerOptions> = {}) =>
      Peer.join(server.url, { role, name, office: 'o', transports, trace, auth: { token: 'secret' }, ...more });
    await using agent = await join('agent', 'a');
    const prepare: PeerOptions['prepare'] = channel =>
      channel.on('client:get_tools', ({ req_id }, reply) => reply({ tools: [], req_id }));
    await using computer = await join('computer', 'c', { prepare });
    const wanted = transports.includes('websocket' as never) ? 'websocket' : 'polling';
    await eventually(() => expect([agent.transport, computer.transport]).toEqual([wanted, wanted]));
    frames.length = 0;
    await agent.call('client:get_tools', { agent: 'a', computer: 'c', req_id: 'r' }, { timeout: 5000 });
    computer.emit('server:update_tool_list', { computer: 'c' });
    await eventually(() => expect(shown(frames, "agent 'a'")).toHaveLength(3));
    const event = '42/smcp,N["client:get_tools",{"agent":"a",';
    const answer = '43/smcp,N[{"tools":[],"req_id":"r"}]';
    const short = (text: string) => text.slice(0, 40);
    expect(shown(frames, "agent 'a'")).toEqual([
      `out ${short(event)}`,
      `in ${answer}`,
      `in ${short('42/smcp,["notify:update_tool_list",{"computer":"c"}]')}`,
    ]);
    expect(shown(frames, "computer 'c'")).toEqual([
      `in ${short(event)}`,
      `out ${answer}`,
      `out ${short('42/smcp,["server:update_tool_list",{"computer":"c"}]')}`,
    ]);
    expect(shown(frames, 'server').toSorted()).toEqual(
      [
        `in ${short(event)}`,
        `out ${short(event)}`,
        `in ${answer}`,
        `out ${answer}`,
        `in ${short('42/smcp,["server:update_tool_list",{"computer":"c"}]')}`,
        `out ${short('42/smcp,["notify:update_tool_list",{"computer":"c"}]')}`,
      ].toSorted(),
    );
  });
});

test('credentials are not traced', async () => {
  const frames: TracedFrame[] = [];
  await using server = await SmcpServer.listen({ port: 0, trace: frame => void frames.push(frame) });
  await using _ = await Peer.join(server.url, {
    role: 'agent',
    name: 'a',
    office: 'o',
    auth: { token: 'swordfish' },
    trace: frame => void frames.push(frame),
  });
  expect(JSON.stringify(frames)).not.toContain('swordfish');
  expect(frames.map(({ text }) => text)).toContain('40/smcp,{"token":"***","instance_id":"***"}');
  expect(frameText('40/smcp,{broken')).toBe('40/smcp,***');
});

test('A2C_TRACE=wire writes one line per frame to standard error', async () => {
  vi.stubEnv('A2C_TRACE', 'wire');
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await using server = await SmcpServer.listen({ port: 0 });
    await using _ = await Peer.join(server.url, { role: 'agent', name: 'a', office: 'o' });
    const lines = write.mock.calls.map(([line]) => String(line));
    expect(
      lines.every(line =>
        /^\d\d:\d\d:\d\d\.\d{3} (?:server|agent '.+') (?:<-|->) .* (?:polling|websocket) .*\n$/.test(line),
      ),
    ).toBe(true);
    expect(lines.some(line => line.includes('server:join_office'))).toBe(true);
  } finally {
    write.mockRestore();
    vi.unstubAllEnvs();
  }
});
