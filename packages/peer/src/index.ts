export type { Channel } from './channel.ts';
export type { Transport } from './connect.ts';
export { DEFAULT_MESSAGE_LIMIT, fitsMessage, messageSize, tooLarge } from './message-size.ts';
export type { ConnectionState, PeerEvents, PeerOptions } from './options.ts';
export { Peer } from './peer.ts';
export { randomId } from './random-id.ts';
