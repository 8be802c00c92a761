import { notice } from '../notice.ts';
import type { Offices } from '../offices.ts';
import type { Reception } from '../reception.ts';
import type { Relay } from '../relay.ts';
import { type PeerNamespace, type PeerSocket, registrationOf, roomOf } from '../sockets.ts';
import type { ClusterHost } from './cluster.ts';
import type { RemoteCalls } from './remote-calls.ts';

export interface HostParts {
  node: string;
  namespace: PeerNamespace;
  offices: Offices<PeerSocket>;
  reception: Reception;
  relay: Relay;
  remote: RemoteCalls;
}

/** The Server of this node, as the cluster sees it. */
export function createHost({ node, namespace, offices, reception, relay, remote }: HostParts): ClusterHost {
  return {
    members: () => offices.all().map(member => registrationOf(member, node)),

    announceGone(members) {
      for (const member of members) namespace.to(roomOf(member.office)).emit('notify:leave_office', notice(member));
    },

    nodeLost: lost => remote.nodeLost(lost),

    evict(sid) {
      const socket = namespace.sockets.get(sid);
      if (socket) reception.evict(socket);
    },

    cutOff: () => remote.cutOff(),

    receive(message, body) {
      if (message.type === 'answer') {
        remote.answered(message, body);
        return;
      }
      const computer = offices.computer(message.office, message.computer);
      const { event, timeout } = message;
      if (!computer) remote.missing(message);
      else relay.serve(computer.peer, { event, timeout, body }, (...answer) => remote.answer(message, answer));
    },
  };
}
