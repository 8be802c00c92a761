import type { Release } from '../releases.ts';
import { Wire } from '../wire.ts';
import { official } from './official.ts';
import type { AgentPeer, AgentPeerOptions, Kind } from './peer.ts';
import { PeerProcess } from './peer-process.ts';
import type { RustEnvironment } from './rust-environment.ts';

/** A release of the official Rust crate, each peer in a process of its own: its Agents cannot be disconnected. */
export function rust(release: Release, { program, home }: RustEnvironment): Kind {
  const processes = new Set<PeerProcess>();
  const kind = official(release, {
    home,
    take: role => {
      const started = new PeerProcess({ command: program('interop-peer'), args: [role], home });
      processes.add(started);
      return started;
    },
    release: async host => {
      processes.delete(host);
      await host.close();
    },
    close: async () => void (await Promise.all([...processes].map(running => running.close()))),
  });
  return { ...kind, connectAgent: options => connectOverheard(kind, options) };
}

/** The SDK can cancel a call by its `req_id` but keeps that to itself, so it is taken from the wire. */
async function connectOverheard(kind: Kind, options: AgentPeerOptions): Promise<AgentPeer> {
  let hear: ((reqId: string) => void) | undefined;
  const wire = await Wire.open(options.url, (from, packet) => {
    const [, reqId] = (from === 'peer' && /"client:tool_call",.*"req_id":"(\w+)"/.exec(packet)) || [];
    if (reqId !== undefined) hear?.(reqId);
  });
  try {
    const agent = await kind.connectAgent({ ...options, url: wire.url });
    return {
      ...agent,
      callAndCancel: (call, running) => {
        hear = req_id => agent.hearing.add('calling', { req_id });
        return agent.callAndCancel(call, running).finally(() => (hear = undefined));
      },
      [Symbol.asyncDispose]: async () => {
        await agent[Symbol.asyncDispose]();
        await wire.close();
      },
    };
  } catch (error) {
    await wire.close();
    throw error;
  }
}
