import type { ClientEvent, NotifyEvent, ServerEvent, SignalEventName } from './events.ts';

// The constants of the protocol documents. Our own code uses the literals.

export const TOOL_CALL_EVENT = 'client:tool_call' satisfies ClientEvent;
export const GET_CONFIG_EVENT = 'client:get_config' satisfies ClientEvent;
export const GET_TOOLS_EVENT = 'client:get_tools' satisfies ClientEvent;
export const GET_DESKTOP_EVENT = 'client:get_desktop' satisfies ClientEvent;
export const GET_FINDER_EVENT = 'client:get_finder' satisfies ClientEvent;
export const GET_RESOURCES_EVENT = 'client:get_resources' satisfies ClientEvent;
export const GET_DPE_EVENT = 'client:get_dpe' satisfies ClientEvent;
export const READ_RESOURCE_EVENT = 'client:read_resource' satisfies ClientEvent;
export const GET_PROMPTS_EVENT = 'client:get_prompts' satisfies ClientEvent;
export const GET_PROMPT_EVENT = 'client:get_prompt' satisfies ClientEvent;

export const JOIN_OFFICE_EVENT = 'server:join_office' satisfies ServerEvent;
export const LEAVE_OFFICE_EVENT = 'server:leave_office' satisfies ServerEvent;
export const LIST_ROOM_EVENT = 'server:list_room' satisfies ServerEvent;

export const UPDATE_CONFIG_EVENT = 'server:update_config' satisfies SignalEventName;
export const UPDATE_TOOL_LIST_EVENT = 'server:update_tool_list' satisfies SignalEventName;
export const UPDATE_DESKTOP_EVENT = 'server:update_desktop' satisfies SignalEventName;
export const UPDATE_FINDER_EVENT = 'server:update_finder' satisfies SignalEventName;
export const CANCEL_TOOL_CALL_EVENT = 'server:tool_call_cancel' satisfies SignalEventName;

export const ENTER_OFFICE_NOTIFICATION = 'notify:enter_office' satisfies NotifyEvent;
export const LEAVE_OFFICE_NOTIFICATION = 'notify:leave_office' satisfies NotifyEvent;
export const UPDATE_CONFIG_NOTIFICATION = 'notify:update_config' satisfies NotifyEvent;
export const UPDATE_TOOL_LIST_NOTIFICATION = 'notify:update_tool_list' satisfies NotifyEvent;
export const UPDATE_DESKTOP_NOTIFICATION = 'notify:update_desktop' satisfies NotifyEvent;
export const UPDATE_FINDER_NOTIFICATION = 'notify:update_finder' satisfies NotifyEvent;
export const CANCEL_TOOL_CALL_NOTIFICATION = 'notify:tool_call_cancel' satisfies NotifyEvent;
