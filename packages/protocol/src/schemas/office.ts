import * as z from 'zod/mini';
import { AgentCallData } from './call.ts';

/** The two kinds of members an office has. */
export const Role = z.enum(['computer', 'agent']);
export type Role = z.infer<typeof Role>;

/** Asks to enter an office. The only place where a peer states its role. */
export const EnterOfficeReq = z.looseObject({
  role: Role,
  name: z.string(),
  office_id: z.string(),
});
export type EnterOfficeReq = z.infer<typeof EnterOfficeReq>;

export const LeaveOfficeReq = z.looseObject({
  office_id: z.string(),
});
export type LeaveOfficeReq = z.infer<typeof LeaveOfficeReq>;

/** The answer to entering and leaving: two acknowledgement arguments, success and the reason of a refusal. */
export const OfficeAck = z.tuple([z.boolean(), z.nullable(z.string())]);
export type OfficeAck = z.infer<typeof OfficeAck>;

/** Announces a new member: one of `computer` and `agent` is its name; the other is absent or null. */
export const EnterOfficeNotification = z.looseObject({
  office_id: z.optional(z.string()),
  computer: z.nullish(z.string()),
  agent: z.nullish(z.string()),
  /** Extension: names the session of an Agent, the same after a reconnect, so that Computers can distinguish Agents. */
  session_id: z.optional(z.string()),
  /** Extension: the protocol version of an Agent, as in `SessionInfo`. Computers answer in the form it expects. */
  a2c_version: z.nullish(z.string()),
});
export type EnterOfficeNotification = z.infer<typeof EnterOfficeNotification>;

/** Announces that a member left. */
export const LeaveOfficeNotification = EnterOfficeNotification.clone();
export type LeaveOfficeNotification = z.infer<typeof LeaveOfficeNotification>;

export const ListRoomReq = z.extend(AgentCallData, {
  office_id: z.string(),
});
export type ListRoomReq = z.infer<typeof ListRoomReq>;

/** One member of an office. */
export const SessionInfo = z.looseObject({
  sid: z.optional(z.string()),
  name: z.optional(z.string()),
  role: z.optional(Role),
  office_id: z.optional(z.string()),
  /** From the member's handshake. Computers answer an Agent in the form of its version. */
  a2c_version: z.nullish(z.string()),
  /** Extension, for Computers: the session of an Agent, as in `EnterOfficeNotification`. */
  session_id: z.optional(z.string()),
});
export type SessionInfo = z.infer<typeof SessionInfo>;

export const ListRoomRet = z.looseObject({
  sessions: z.array(SessionInfo),
  req_id: z.string(),
});
export type ListRoomRet = z.infer<typeof ListRoomRet>;
