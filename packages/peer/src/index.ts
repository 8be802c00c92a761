export { DEFAULT_MESSAGE_LIMIT, fitsMessage, messageSize, tooLarge } from '@a2c-smcp/core';
export type { Channel } from './channel.ts';
export type { Transport } from './connect.ts';
export type { ConnectionState, PeerEvents, PeerOptions, Renewable } from './options.ts';
export { Peer } from './peer.ts';
export { randomId } from './random-id.ts';
