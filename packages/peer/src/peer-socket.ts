import type { PeerBound, ServerBound } from '@a2c-smcp/protocol';
import type { Socket } from 'socket.io-client';

/** A client's socket in the namespace `/smcp`. */
export type PeerSocket = Socket<PeerBound, ServerBound>;
