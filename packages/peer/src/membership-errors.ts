import { type EnterOfficeReq, ErrorCode, SmcpError } from '@a2c-smcp/protocol';

/** The refusal of a join, which arrives as text alone and differs between Servers: its wording decides code and reason. */
export function joinRefused({ role, name, office_id }: EnterOfficeReq, text: string | null): SmcpError {
  const details = { office: office_id, text };
  if (role === 'agent' && /already has an agent|\bagent\b.*\balready\b/i.test(text ?? '')) {
    const hint = 'an office has one at most: close the other, or choose another office';
    return new SmcpError(ErrorCode.OfficeFull, `Office '${office_id}' already has an agent: ${hint}`, {
      details: { ...details, reason: 'agent_present' },
    });
  }
  const isTaken = /\balready\b|\btaken\b|\banother computer\b/i.test(text ?? '');
  const message = `The Server refused ${role} '${name}' into office '${office_id}': ${text ?? 'no reason given'}`;
  return new SmcpError(ErrorCode.Forbidden, message, {
    details: isTaken ? { ...details, reason: 'name_taken' } : details,
  });
}

/** Some Servers do not answer a join with wrong credentials, so that a timeout may mean those. */
export function joinUnanswered({ office_id }: EnterOfficeReq, error: unknown): unknown {
  if (!(error instanceof SmcpError) || error.reason !== 'timeout') return error;
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
