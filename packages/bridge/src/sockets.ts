export { claimPath, connectTo } from './socket/claim.ts';
export { MessageSocket } from './socket/message-socket.ts';
export { socketFolder } from './socket/private-folder.ts';
