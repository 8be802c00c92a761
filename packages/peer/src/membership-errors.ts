import { type EnterOfficeReq, ErrorCode, SmcpError } from '@a2c-smcp/protocol';

/** The refusal of a join, which arrives as text alone and differs between Servers: its wording decides code and reason. */
export function joinRefused(request: EnterOfficeReq, text: string | null): SmcpError {
  const { role, name, office_id } = request;
  const details = { office: office_id, text };
  if (role === 'agent' && /already has an agent|\bagent\b.*\balready\b/i.test(text ?? '')) {
    return agentPresent(request, text);
  }
  const isTaken = /\balready\b|\btaken\b|\banother computer\b/i.test(text ?? '');
  const message = `The Server refused ${role} '${name}' into office '${office_id}': ${text ?? 'no reason given'}`;
  return new SmcpError(ErrorCode.Forbidden, message, {
    details: isTaken ? { ...details, reason: 'name_taken' } : details,
  });
}

/**
 * Why a join failed. Servers of 0.5 answer with an error; earlier ones may not answer a join with wrong credentials at
 * all, so that a timeout may mean those.
 */
export function joinFailed(request: EnterOfficeReq, error: unknown): unknown {
  if (!(error instanceof SmcpError)) return error;
  const { code, message, details, reason } = error;
  const { role, name, office_id } = request;
  if (reason === 'timeout') {
    const hint = `The Server did not answer the request to join office '${office_id}': check 'auth' and 'headers'`;
    return new SmcpError(code, hint, { details, cause: error });
  }
  if (reason === 'disconnected' || code === ErrorCode.Internal) return error;
  if (role === 'agent' && code === ErrorCode.OfficeFull) return agentPresent(request, message);
  const refused = joinRefused(request, message);
  // 4101 without the name is about the number of Computers: an office of 0.5 has one seat for them.
  const isSeat = code === ErrorCode.OfficeFull && !message.includes(`'${name}'`);
  if (refused.reason === 'name_taken' && !isSeat) return refused;
  return new SmcpError(code, `The Server refused ${role} '${name}' into office '${office_id}': ${message}`, {
    details: { ...details, office: office_id, text: message },
    cause: error,
  });
}

function agentPresent({ office_id }: EnterOfficeReq, text: string | null): SmcpError {
  const hint = 'an office has one at most: close the other, or choose another office';
  return new SmcpError(ErrorCode.OfficeFull, `Office '${office_id}' already has an agent: ${hint}`, {
    details: { office: office_id, text, reason: 'agent_present' },
  });
}

/** The time of a request was over before the peer was back in its office. A refusal gives it its code. */
export function notInOffice(office: string, problem?: SmcpError): SmcpError {
  const message = `Not connected to office '${office}', and the time to wait is over`;
  return new SmcpError(problem?.code ?? ErrorCode.Timeout, problem ? `${message}: ${problem.message}` : message, {
    details: { reason: 'offline' },
    cause: problem,
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
