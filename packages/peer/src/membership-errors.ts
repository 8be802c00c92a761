import { type EnterOfficeReq, ErrorCode, SmcpError } from '@a2c-smcp/protocol';

/** The refusal of a join, which arrives as text alone: its wording decides the code. */
export function joinRefused({ role, name, office_id }: EnterOfficeReq, reason: string | null): SmcpError {
  const details = { office: office_id, reason };
  if (role === 'agent' && /already has an agent|\bagent\b.*\balready\b/i.test(reason ?? '')) {
    const hint = 'an office has one at most: close the other, or choose another office';
    return new SmcpError(ErrorCode.OfficeFull, `Office '${office_id}' already has an agent: ${hint}`, { details });
  }
  const message = `The Server refused ${role} '${name}' into office '${office_id}': ${reason ?? 'no reason given'}`;
  return new SmcpError(ErrorCode.Forbidden, message, { details });
}

/** Some Servers answer nothing to those whose credentials they do not accept; say so when a join runs out of time. */
export function joinUnanswered({ office_id }: EnterOfficeReq, error: unknown): unknown {
  if (!(error instanceof SmcpError) || error.details?.reason !== 'timeout') return error;
  const message = `The Server did not answer the request to join office '${office_id}': check 'auth' and 'headers'`;
  return new SmcpError(error.code, message, { details: error.details, cause: error });
}

/** The time of a request was over before the peer was back in its office. */
export function notInOffice(office: string): SmcpError {
  return new SmcpError(ErrorCode.Timeout, `Not connected to office '${office}', and the time to wait is over`, {
    details: { reason: 'offline' },
  });
}

/** A request came after the end. */
export function peerClosed(office: string): SmcpError {
  return new SmcpError(ErrorCode.NotInOffice, `The connection to office '${office}' is closed`);
}

/** The error as an `SmcpError`. Any other error is a fault of this package. */
export function toSmcpError(thrown: unknown): SmcpError {
  return thrown instanceof SmcpError ? thrown : new SmcpError(ErrorCode.Internal, String(thrown), { cause: thrown });
}
