import type { Cluster, ClusterHost } from '../cluster/cluster.ts';
import type { RemoteCalls } from '../cluster/remote-calls.ts';
import { notice } from '../office/notice.ts';
import type { Notifier } from '../office/notifier.ts';
import type { Offices } from '../office/offices.ts';
import type { Reception } from '../office/reception.ts';
import { type PeerNamespace, type PeerSocket, registrationOf } from '../office/session.ts';
import { ForeignCalls } from './foreign-calls.ts';
import type { Relay } from './relay.ts';

export interface HostParts {
  cluster: Cluster;
  namespace: PeerNamespace;
  offices: Offices<PeerSocket>;
  notifier: Notifier;
  reception: Reception;
  relay: Relay;
  remote: RemoteCalls;
  /** Answers a question of another node about this one. */
  answer: (question: unknown) => Promise<unknown>;
}

/** The Server of this node, as the cluster sees it. */
export function createHost(parts: HostParts): ClusterHost {
  const { cluster, namespace, offices, notifier, reception, relay, remote, answer } = parts;
  const foreign = new ForeignCalls({ cluster, offices, relay });
  const { node } = cluster;
  return {
    members: () => offices.all().map(member => registrationOf(member, node)),

    announceGone(members) {
      for (const member of members) notifier.notify(member.office, 'notify:leave_office', notice(member));
    },

    nodeLost(lost) {
      remote.nodeLost(lost);
      foreign.nodeLost(lost);
    },

    messagesLost: lost => remote.messagesLost(lost),

    // The calls of other nodes go on: these may still be able to receive the answers.
    cutOff: () => remote.cutOff(),

    evict(sid) {
      const socket = namespace.sockets.get(sid);
      if (socket) reception.evict(socket);
    },

    disconnect(sid) {
      namespace.sockets.get(sid)?.disconnect(true);
    },

    answer,

    receive(message, body) {
      if (message.type === 'answer') remote.answered(message, body);
      else if (message.type === 'abandon') foreign.abandon(message);
      else if (message.type === 'call') foreign.serve(message, body);
      else if (message.from !== node) notifier.deliver(message.office, body, { to: message.to });
    },
  };
}
