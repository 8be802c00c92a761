import * as z from 'zod/mini';
import { GetBlobReq, GetBlobRet, PutBlobReq, PutBlobRet } from './schemas/blobs.ts';
import { AgentCallData } from './schemas/call.ts';
import {
  GetComputerConfigReq,
  GetComputerConfigRet,
  UpdateComputerConfigReq,
  UpdateMCPConfigNotification,
  UpdateToolListNotification,
} from './schemas/config.ts';
import { GetDeskTopReq, GetDeskTopRet } from './schemas/desktop.ts';
import type { ErrorPayload } from './schemas/error.ts';
import { GetFinderReq, GetFinderRet, UpdateFinderReq } from './schemas/finder.ts';
import {
  EnterOfficeNotification,
  EnterOfficeReq,
  LeaveOfficeNotification,
  LeaveOfficeReq,
  ListRoomReq,
  ListRoomRet,
  OfficeAck,
  type Role,
} from './schemas/office.ts';
import { GetPromptReq, GetPromptRet, GetPromptsReq, GetPromptsRet } from './schemas/prompts.ts';
import { AnswerQuestionReq, AnswerQuestionRet, ToolQuestion } from './schemas/questions.ts';
import {
  GetDpeReq,
  GetDpeRet,
  GetResourcesReq,
  GetResourcesRet,
  ReadResourceReq,
  ReadResourceRet,
} from './schemas/resources.ts';
import { GetSkillReq, GetSkillRet, GetSkillsReq, GetSkillsRet } from './schemas/skills.ts';
import { CallToolResult, GetToolsReq, GetToolsRet, ToolCallReq, ToolProgress } from './schemas/tools.ts';

/** The Socket.IO namespace of all events. */
export const SMCP_NAMESPACE = '/smcp';

interface RequestEvent {
  request: z.ZodMiniType;
  response: z.ZodMiniType;
}

interface SignalEvent {
  /** The role that may send it. The field of that name in the payload must be the sender's own name. */
  from: Role;
  /** The role that is notified. @default every other member of the office */
  to?: Role;
  payload: z.ZodMiniType;
}

/** Agent → Server → Computer. The Server forwards these and carries the answer back. */
export const clientEvents = {
  'client:tool_call': { request: ToolCallReq, response: CallToolResult },
  'client:get_tools': { request: GetToolsReq, response: GetToolsRet },
  'client:get_config': { request: GetComputerConfigReq, response: GetComputerConfigRet },
  'client:get_desktop': { request: GetDeskTopReq, response: GetDeskTopRet },
  'client:get_finder': { request: GetFinderReq, response: GetFinderRet },
  'client:get_resources': { request: GetResourcesReq, response: GetResourcesRet },
  'client:get_dpe': { request: GetDpeReq, response: GetDpeRet },
  'client:read_resource': { request: ReadResourceReq, response: ReadResourceRet },
  'client:get_prompts': { request: GetPromptsReq, response: GetPromptsRet },
  'client:get_prompt': { request: GetPromptReq, response: GetPromptRet },
  'client:get_blob': { request: GetBlobReq, response: GetBlobRet },
  'client:put_blob': { request: PutBlobReq, response: PutBlobRet },
  'client:get_skills': { request: GetSkillsReq, response: GetSkillsRet },
  'client:get_skill': { request: GetSkillReq, response: GetSkillRet },
  'client:answer_question': { request: AnswerQuestionReq, response: AnswerQuestionRet },
} as const satisfies Record<`client:${string}`, RequestEvent>;

/** Agent or Computer → Server, answered by the Server itself. */
export const serverEvents = {
  'server:join_office': { request: EnterOfficeReq, response: OfficeAck },
  'server:leave_office': { request: LeaveOfficeReq, response: OfficeAck },
  'server:list_room': { request: ListRoomReq, response: ListRoomRet },
} as const satisfies Record<`server:${string}`, RequestEvent>;

/** Agent or Computer → Server, not answered. The Server passes each on as the notification of the same name. */
export const signalEvents = {
  'server:update_config': { from: 'computer', payload: UpdateComputerConfigReq },
  'server:update_tool_list': { from: 'computer', payload: z.required(UpdateToolListNotification) },
  'server:update_desktop': { from: 'computer', payload: UpdateComputerConfigReq },
  'server:update_finder': { from: 'computer', payload: UpdateFinderReq },
  'server:update_skills': { from: 'computer', payload: UpdateComputerConfigReq },
  'server:update_progress': { from: 'computer', to: 'agent', payload: ToolProgress },
  'server:ask_question': { from: 'computer', to: 'agent', payload: ToolQuestion },
  'server:tool_call_cancel': { from: 'agent', payload: AgentCallData },
} as const satisfies Record<`server:${string}`, SignalEvent>;

/** Server → everyone else in the office, or those that the signal is for. */
export const notifyEvents = {
  'notify:enter_office': EnterOfficeNotification,
  'notify:leave_office': LeaveOfficeNotification,
  'notify:update_config': UpdateMCPConfigNotification,
  'notify:update_tool_list': UpdateToolListNotification,
  'notify:update_desktop': UpdateComputerConfigReq,
  'notify:update_finder': UpdateFinderReq,
  'notify:update_skills': UpdateComputerConfigReq,
  'notify:update_progress': ToolProgress,
  'notify:ask_question': ToolQuestion,
  'notify:tool_call_cancel': AgentCallData,
} as const satisfies Record<`notify:${string}`, z.ZodMiniType>;

/** All events that have an answer. */
export const requestEvents = { ...clientEvents, ...serverEvents };

export type ClientEvent = keyof typeof clientEvents;
export type ServerEvent = keyof typeof serverEvents;
export type RequestEventName = ClientEvent | ServerEvent;
export type SignalEventName = keyof typeof signalEvents;
export type NotifyEvent = keyof typeof notifyEvents;

export type RequestOf<E extends RequestEventName> = z.infer<(typeof requestEvents)[E]['request']>;
export type ResponseOf<E extends RequestEventName> = z.infer<(typeof requestEvents)[E]['response']>;
export type SignalOf<E extends SignalEventName> = z.infer<(typeof signalEvents)[E]['payload']>;
export type NotificationOf<E extends NotifyEvent> = z.infer<(typeof notifyEvents)[E]>;

/** A tuple response is spread over the acknowledgement; any other is its single argument. */
type AckArgs<T> = T extends readonly [unknown, ...unknown[]] ? T : [reply: T | ErrorPayload];

type RequestListeners<E extends RequestEventName> = {
  [K in E]: (request: RequestOf<K>, ack: (...reply: AckArgs<ResponseOf<K>>) => void) => void;
};
type SignalListeners = { [K in SignalEventName]: (payload: SignalOf<K>) => void };
type NotifyListeners = { [K in NotifyEvent]: (payload: NotificationOf<K>) => void };

/** Events towards the Server, in the shape that Socket.IO's generics expect. */
export type ServerBound = RequestListeners<RequestEventName> & SignalListeners;
/** Events towards an Agent or a Computer. */
export type PeerBound = RequestListeners<ClientEvent> & NotifyListeners;
