import { fieldsOf, type Logger } from '@a2c-smcp/core';
import { ErrorCode, SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
import type { Authenticate, AuthRequest, Identity } from '../auth/identity.ts';
import { isLoopback } from '../http/addresses.ts';
import { type Guard, guardOf } from '../wire/connection-guard.ts';
import type { PeerSocket, Session } from './session.ts';

export interface AdmissionOptions {
  /** Without one, only clients on this machine are admitted. */
  authenticate?: Authenticate;
  /** Without it every client is admitted. */
  allowAnonymous: boolean;
  logger: Logger;
  onRejected: (reason: 'unauthorized', address: string, message: string) => void;
}

/** The Socket.IO middleware that decides who may connect, and opens their sessions. */
export function createAdmission(options: AdmissionOptions) {
  const { authenticate, allowAnonymous, logger, onRejected } = options;

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
    const guard = guardOf(socket.conn);
    const { address } = guard;
    try {
      const identity = await identify({ headers, auth: fieldsOf(auth), address });
      Object.assign(socket.data, openSession(guard, identity, auth));
      next();
    } catch (error) {
      guard.refused(socket.nsp.name);
      const refusal = connectError(error);
      onRejected('unauthorized', address, refusal.message);
      const reason = error instanceof SmcpError ? error.message : error;
      logger.warn('A client was not admitted', { sid: socket.id, address, reason });
      next(refusal);
    }
  };
}

function openSession({ version, allowance }: Guard, identity: Identity, auth: unknown): Session {
  return {
    identity,
    version,
    instanceId: asInstanceId(fieldsOf(auth).instance_id),
    replaces: fieldsOf(auth).replace === true,
    allowance,
    unanswered: 0,
  };
}

/** Reaches the client as a `connect_error` whose `data` is an error payload. The message of an unknown error is not sent. */
function connectError(thrown: unknown): Error {
  const message = thrown instanceof SmcpError ? thrown.message : 'The Server could not check your credentials';
  const refusal = new SmcpError(ErrorCode.Unauthorized, message);
  return Object.assign(new Error(message), { data: toErrorPayload(refusal) });
}

/** An id that is not short, well-formed text is ignored: the client can then not take over its sessions. */
function asInstanceId(value: unknown): string | undefined {
  return typeof value === 'string' && /^[^\p{Cc}\p{Surrogate}]{1,256}$/u.test(value) ? value : undefined;
}
