export type { PeerSocket, Transport } from './connect.ts';
export { Emitter, type ListenOptions } from './emitter.ts';
export { DEFAULT_MESSAGE_LIMIT, fitsMessage, messageSize } from './message-size.ts';
export { type ConnectionState, Peer, type PeerEvents, type PeerOptions } from './peer.ts';
