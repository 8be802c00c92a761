import { clip } from '@a2c-smcp/core';
import { ErrorCode, type Role, SmcpError } from '@a2c-smcp/protocol';

/** Computers that an error names, and characters of each name. */
const MAX_NAMES = 10;
const MAX_NAME_LENGTH = 64;

/** The answer while the other nodes cannot be reached. */
export function unavailable(): SmcpError {
  const details = { reason: 'cluster_unavailable' };
  return new SmcpError(ErrorCode.Internal, 'The nodes of this Server cannot reach each other; try again', { details });
}

/** The answer to a request that Redis did not carry out. The log has the reason. */
export function refusedByRedis(): SmcpError {
  const details = { reason: 'cluster_error' };
  return new SmcpError(ErrorCode.Internal, 'Redis did not accept this request; the log of the Server says why', {
    details,
  });
}

/** The answer to a call to a Computer that is not in the office. @param members those of that office, if they are known */
export function notFound(computer: string, members?: readonly { role: Role; name: string }[]): SmcpError {
  const hint = members ? `: ${presentIn(members)}` : '';
  return new SmcpError(ErrorCode.NotFound, `No computer '${computer}' in this office${hint}`);
}

function presentIn(members: readonly { role: Role; name: string }[]): string {
  const names = members.filter(({ role }) => role === 'computer').map(({ name }) => `'${clip(name, MAX_NAME_LENGTH)}'`);
  if (names.length === 0) return 'it has none at the moment';
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return `it has ${names.toSorted().slice(0, MAX_NAMES).join(', ')}${more}`;
}

/** The answer to a call whose Computer is gone before it answered. */
export function disconnected(): SmcpError {
  const details = { reason: 'computer_disconnected' };
  return new SmcpError(ErrorCode.NotFound, 'The computer disconnected before it answered', { details });
}
