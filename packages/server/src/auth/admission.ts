import { ErrorCode, type Logger, SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
import { addressOf, isLoopback } from '../addresses.ts';
import type { PeerSocket, Session } from '../sockets.ts';
import type { Authenticate, AuthRequest, Identity } from './identity.ts';

export interface AdmissionOptions {
  /** Without one, only clients on this machine are admitted. */
  authenticate?: Authenticate;
  /** Admits everybody when there is no `authenticate`. */
  allowAnonymous: boolean;
  trustProxy: boolean;
  /** What a new connection may send at once. */
  eventsPerSecond: number;
  logger: Logger;
  onRejected: (reason: 'unauthorized') => void;
}

/** The Socket.IO middleware that decides who may connect and opens a session for those who may. */
export function createAdmission(options: AdmissionOptions) {
  const { authenticate, allowAnonymous, trustProxy, eventsPerSecond, logger, onRejected } = options;

  const identify = async (request: AuthRequest): Promise<Identity> => {
    if (authenticate) {
      const identity = await authenticate(request);
      if (identity) return identity;
    } else if (allowAnonymous || isLoopback(request.address)) {
      return { id: 'anonymous' };
    }
    throw new SmcpError(ErrorCode.Unauthorized, 'The Server does not accept your credentials');
  };

  return async (socket: PeerSocket, next: (error?: Error) => void): Promise<void> => {
    const { headers, auth } = socket.handshake;
    const address = addressOf(socket.request, trustProxy);
    try {
      const identity = await identify({ headers, auth: asObject(auth), address });
      Object.assign(socket.data, openSession(socket, identity, eventsPerSecond));
      next();
    } catch (error) {
      onRejected('unauthorized');
      const reason = error instanceof SmcpError ? error.message : error;
      logger.warn('A client was not admitted', { sid: socket.id, address, reason });
      next(connectError(error));
    }
  };
}

function openSession(socket: PeerSocket, identity: Identity, eventsPerSecond: number): Session {
  const { auth, query } = socket.handshake;
  return {
    identity,
    version: typeof query.a2c_version === 'string' ? query.a2c_version : undefined,
    instanceId: asText(asObject(auth).instance_id),
    allowance: { tokens: eventsPerSecond, at: performance.now() },
    unanswered: 0,
  };
}

/** Reaches the client as a `connect_error` whose `data` is an error payload. A stranger's message stays here. */
function connectError(thrown: unknown): Error {
  const message = thrown instanceof SmcpError ? thrown.message : 'The Server could not check your credentials';
  const refusal = new SmcpError(ErrorCode.Unauthorized, message);
  return Object.assign(new Error(message), { data: toErrorPayload(refusal) });
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 256 ? value : undefined;
}
