import type { Peer } from '@a2c-smcp/peer';

/** A Computer's place in an office. Requests may arrive before it has a peer, which `Peer.join` gives at its end. */
export interface Membership {
  peer?: Peer;
}
