import { createHash } from 'node:crypto';
import { isObject } from '@a2c-smcp/core';
import { Role } from '@a2c-smcp/protocol';
import { isName, isNode, isShortText } from './checks.ts';

/** A member as all nodes know it. */
export interface Registration {
  node: string;
  sid: string;
  role: Role;
  name: string;
  office: string;
  version?: string;
  /** Equal for all clients of one identity; see `ownerOf`. */
  owner?: string;
  /** Equal for two sessions of one client; see `clientOf`. Absent when the client cannot take over its sessions. */
  client?: string;
}

/**
 * Tells whether two sessions belong to one client. A digest, because scripts compare it: text of peers may be anything,
 * and an `instance_id` is a secret of its client.
 */
export function clientOf(instance: string, identity: string, name: string): string {
  return createHash('sha256')
    .update(JSON.stringify([instance, identity, name]))
    .digest('base64url');
}

/** Tells whether two members have the same identity. */
export function ownerOf(identity: string): string {
  return createHash('sha256').update(identity).digest('base64url');
}

/** A registration as Redis has it: the lines that scripts read, sid, node, client and owner, then the whole as JSON. */
export function writeRecord(member: Registration): string {
  return [member.sid, member.node, member.client ?? '', member.owner ?? '', JSON.stringify(member)].join('\n');
}

/** Undefined when a record is malformed. */
export function readRecord(record: unknown): Registration | undefined {
  if (typeof record !== 'string') return undefined;
  try {
    return readRegistration(JSON.parse(record.slice(record.lastIndexOf('\n') + 1)));
  } catch {
    return undefined;
  }
}

/** Undefined when the value is not a registration. */
export function readRegistration(value: unknown): Registration | undefined {
  if (!isObject(value)) return undefined;
  const { node, sid, role, name, office, version, owner, client } = value;
  if (!isNode(node) || !isShortText(sid) || !isName(name) || !isName(office)) return undefined;
  if (!Role.safeParse(role).success) return undefined;
  return {
    ...{ node, sid, role: role as Role, name, office },
    ...(isShortText(version) ? { version } : {}),
    ...(isShortText(owner) ? { owner } : {}),
    ...(isShortText(client) ? { client } : {}),
  };
}
