import { createHash } from 'node:crypto';
import type { EnterOfficeNotification } from '@a2c-smcp/protocol';
import type { Registration } from '../cluster/registration.ts';

type Subject = Omit<Registration, 'node'>;

/** Says who entered or left, under exactly one of `agent` and `computer`. */
export function notice(member: Subject): EnterOfficeNotification {
  const { role, name, office, version } = member;
  const line = role === 'agent' && version !== undefined ? { a2c_version: version } : {};
  return { office_id: office, [role]: name, ...sessionOf(member), ...line };
}

/**
 * Names the session of an Agent, so that a Computer can tell its return from another Agent of the same name. A client
 * without an `instance_id` has a new session with every connection.
 */
export function sessionOf({ role, sid, client }: Pick<Subject, 'role' | 'sid' | 'client'>): { session_id?: string } {
  if (role !== 'agent') return {};
  return {
    session_id: createHash('sha256')
      .update(client ?? sid)
      .digest('hex')
      .slice(0, 32),
  };
}
