import type { Requirement } from './requirement.ts';

/** The events with their directions, requests and answers, and what every acknowledgement obeys. */
export const events = {
  'event.namespace': {
    source: 'connection.md#transport',
    rule: 'Every event travels in the Socket.IO namespace `/smcp`, exported as SMCP_NAMESPACE.',
    obeys: ['protocol', 'agent', 'server', 'computer'],
    done: true,
  },
  'event.client.tool-call': {
    source: 'events.md#clienttool_call',
    rule:
      '`client:tool_call` (TOOL_CALL_EVENT) carries a ToolCallReq from the Agent to ' +
      'one Computer and is answered with an MCP CallToolResult.',
    obeys: ['protocol', 'agent', 'server', 'computer'],
    done: true,
  },
  'event.client.get-config': {
    source: 'events.md#clientget_config',
    rule:
      '`client:get_config` (GET_CONFIG_EVENT) carries a GetComputerConfigReq from the Agent ' +
      'to one Computer and is answered with a GetComputerConfigRet.',
    obeys: ['protocol', 'agent', 'server', 'computer'],
    done: true,
  },
  'event.client.get-tools': {
    source: 'events.md#clientget_tools',
    rule:
      '`client:get_tools` (GET_TOOLS_EVENT) carries a GetToolsReq from the Agent ' +
      'to one Computer and is answered with a GetToolsRet.',
    obeys: ['protocol', 'agent', 'server', 'computer'],
    done: true,
  },
  'event.client.get-desktop': {
    source: 'events.md#clientget_desktop',
    rule:
      '`client:get_desktop` (GET_DESKTOP_EVENT) carries a GetDeskTopReq from the ' +
      'Agent to one Computer and is answered with a GetDeskTopRet.',
    obeys: ['protocol', 'agent', 'server', 'computer'],
    done: true,
  },
  'event.client.get-finder': {
    source: 'events.md#clientget_finder',
    rule:
      '`client:get_finder` (GET_FINDER_EVENT) carries a GetFinderReq from the Agent ' +
      'to one Computer and is answered with a GetFinderRet.',
    obeys: ['protocol', 'agent', 'server', 'computer'],
    done: true,
  },
  'event.client.get-resources': {
    source: 'events.md#clientget_resources',
    rule:
      '`client:get_resources` (GET_RESOURCES_EVENT) carries a GetResourcesReq from the ' +
      'Agent to one Computer and is answered with a GetResourcesRet.',
    obeys: ['protocol', 'agent', 'server', 'computer'],
    done: true,
  },
  'event.client.get-dpe': {
    source: 'events.md#clientget_dpe',
    rule:
      '`client:get_dpe` (GET_DPE_EVENT) carries `{agent, req_id, computer, uri, timeout?}` from ' +
      'the Agent to one Computer and is answered with `{contents, req_id}`.',
    obeys: ['protocol', 'agent', 'server', 'computer'],
    done: true,
  },
  'event.client.read-resource': {
    source: 'events.md#clientread_resource',
    rule:
      '`client:read_resource` carries `{agent, req_id, computer, uri, mcp_server?, timeout?}` from ' +
      'the Agent to one Computer and is answered with `{contents, req_id}`.',
    obeys: ['protocol', 'agent', 'server', 'computer'],
    done: true,
  },
  'event.client.get-prompts': {
    source: 'events.md#clientget_prompts',
    rule:
      '`client:get_prompts` (GET_PROMPTS_EVENT) carries a GetPromptsReq from the Agent to one Computer and is answered ' +
      'with a GetPromptsRet.',
    obeys: ['protocol', 'agent', 'server', 'computer'],
    done: true,
  },
  'event.client.get-prompt': {
    source: 'events.md#clientget_prompt',
    rule:
      '`client:get_prompt` (GET_PROMPT_EVENT) carries a GetPromptReq from the Agent to one Computer and is answered with ' +
      'a GetPromptRet.',
    obeys: ['protocol', 'agent', 'server', 'computer'],
    done: true,
  },
  'event.server.join-office': {
    source: 'events.md#serverjoin_office',
    rule:
      '`server:join_office` (JOIN_OFFICE_EVENT) carries an EnterOfficeReq from an Agent or a ' +
      'Computer and is answered with the pair of a boolean and a reason or null.',
    obeys: ['protocol', 'agent', 'server', 'computer'],
    done: true,
  },
  'event.server.leave-office': {
    source: 'events.md#serverleave_office',
    rule:
      '`server:leave_office` (LEAVE_OFFICE_EVENT) carries a LeaveOfficeReq from an Agent ' +
      'or a Computer and is answered with the same pair as a join.',
    obeys: ['protocol', 'agent', 'server', 'computer'],
    done: true,
  },
  'event.server.list-room': {
    source: 'events.md#serverlist_room',
    rule:
      '`server:list_room` (LIST_ROOM_EVENT) carries a ListRoomReq from the ' +
      'Agent and is answered with a ListRoomRet.',
    obeys: ['protocol', 'agent', 'server'],
    done: true,
  },
  'event.server.update-config': {
    source: 'events.md#serverupdate_config',
    rule:
      '`server:update_config` (UPDATE_CONFIG_EVENT) carries an UpdateComputerConfigReq from a ' +
      'Computer, has no ack, and makes the Server broadcast `notify:update_config`.',
    obeys: ['protocol', 'server', 'computer'],
    done: true,
  },
  'event.server.update-tool-list': {
    source: 'events.md#serverupdate_tool_list',
    rule:
      '`server:update_tool_list` (UPDATE_TOOL_LIST_EVENT) carries an UpdateToolListNotification from a ' +
      'Computer, has no ack, and makes the Server broadcast `notify:update_tool_list`.',
    obeys: ['protocol', 'server', 'computer'],
    done: true,
  },
  'event.server.update-desktop': {
    source: 'events.md#serverupdate_desktop',
    rule:
      '`server:update_desktop` (UPDATE_DESKTOP_EVENT) carries an UpdateComputerConfigReq from a ' +
      'Computer, has no ack, and makes the Server broadcast `notify:update_desktop`.',
    obeys: ['protocol', 'server', 'computer'],
    done: true,
  },
  'event.server.update-finder': {
    source: 'events.md#serverupdate_finder',
    rule:
      '`server:update_finder` (UPDATE_FINDER_EVENT) carries an UpdateComputerConfigReq from a ' +
      'Computer, has no ack, and makes the Server broadcast `notify:update_finder`.',
    obeys: ['protocol', 'server', 'computer'],
    done: true,
  },
  'event.server.tool-call-cancel': {
    source: 'events.md#servertool_call_cancel',
    rule:
      '`server:tool_call_cancel` (CANCEL_TOOL_CALL_EVENT) carries AgentCallData from the Agent, ' +
      'has no ack, and makes the Server broadcast `notify:tool_call_cancel`.',
    obeys: ['protocol', 'agent', 'server'],
    done: true,
  },
  'event.notify.enter-office': {
    source: 'events.md#notifyenter_office',
    rule:
      '`notify:enter_office` (ENTER_OFFICE_NOTIFICATION) gives the office its `office_id` and the ' +
      'name of the new member under exactly one of `computer` and `agent`.',
    obeys: ['protocol', 'server'],
    done: true,
  },
  'event.notify.leave-office': {
    source: 'events.md#notifyleave_office',
    rule:
      '`notify:leave_office` (LEAVE_OFFICE_NOTIFICATION) gives the office its `office_id` and the ' +
      'name of the leaving member under exactly one of `computer` and `agent`.',
    obeys: ['protocol', 'server'],
    done: true,
  },
  'event.notify.update-config': {
    source: 'events.md#notifyupdate_config',
    rule:
      '`notify:update_config` (UPDATE_CONFIG_NOTIFICATION) gives the office ' +
      '`{computer}` after a configuration update.',
    obeys: ['protocol', 'server'],
    done: true,
  },
  'event.notify.update-tool-list': {
    source: 'events.md#notifyupdate_tool_list',
    rule:
      '`notify:update_tool_list` (UPDATE_TOOL_LIST_NOTIFICATION) gives the ' +
      'office `{computer}` after a tool list update.',
    obeys: ['protocol', 'server'],
    done: true,
  },
  'event.notify.update-desktop': {
    source: 'events.md#notifyupdate_desktop',
    rule: '`notify:update_desktop` (UPDATE_DESKTOP_NOTIFICATION) gives the office `{computer}` after a desktop update.',
    obeys: ['protocol', 'server'],
    done: true,
  },
  'event.notify.update-finder': {
    source: 'events.md#notifyupdate_finder',
    rule: '`notify:update_finder` (UPDATE_FINDER_NOTIFICATION) gives the office `{computer}` after a finder update.',
    obeys: ['protocol', 'server'],
    done: true,
  },
  'event.notify.tool-call-cancel': {
    source: 'events.md#notifytool_call_cancel',
    rule:
      '`notify:tool_call_cancel` (CANCEL_TOOL_CALL_NOTIFICATION) gives the ' +
      'office `{agent, req_id}` of the call to cancel.',
    obeys: ['protocol', 'server'],
    done: true,
  },
  'event.guard': {
    source: 'offices.md#direction',
    rule: 'An Agent refuses to emit `notify:*`, and a Computer refuses to emit `notify:*` and `client:*`.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'react.enter': {
    source: 'events.md#reactions-of-an-agent',
    rule: 'After `notify:enter_office` of a Computer the Agent fetches the tools of that Computer by itself.',
    obeys: ['agent'],
    done: true,
  },
  'react.leave': {
    source: 'events.md#reactions-of-an-agent',
    rule: 'After `notify:leave_office` of a Computer the Agent drops the tools of that Computer.',
    obeys: ['agent'],
    done: true,
  },
  'react.tools': {
    source: 'events.md#reactions-of-an-agent',
    rule:
      'After `notify:update_tool_list` or `notify:update_config` the Agent ' +
      'fetches the tools of that Computer again.',
    obeys: ['agent'],
    done: true,
  },
  'react.views': {
    source: 'events.md#reactions-of-an-agent',
    rule:
      'After `notify:update_desktop` or `notify:update_finder` the Agent fetches ' +
      'that view again and drops cached pages and elements.',
    obeys: ['agent'],
    done: true,
  },
  'ack.pair': {
    source: 'offices.md#answers',
    rule:
      'A join or leave is acknowledged with the two arguments `true, null` or `false, ' +
      'reason`, and clients also accept the pair as one array argument.',
    obeys: ['agent', 'server', 'computer'],
    done: true,
  },
  'ack.req-id.echo': {
    source: 'offices.md#answers',
    rule: 'Every answer echoes the `req_id` of its request, except GetComputerConfigRet and CallToolResult.',
    obeys: ['server', 'computer'],
    done: true,
  },
  'ack.req-id.check': {
    source: 'offices.md#answers',
    rule: 'The Agent gives each request a `req_id` never used before and rejects an answer that echoes another one.',
    obeys: ['agent'],
    done: true,
  },
  'ack.always': {
    source: 'offices.md#answers',
    rule: 'A request whose handler throws is still answered, with error 500.',
    obeys: ['server', 'computer'],
    done: true,
  },
  'ack.nothing': {
    source: 'offices.md#answers',
    rule:
      'A request that is answered without arguments, or with an empty object where fields are due, fails at once with ' +
      'an error that says what the other side does not know or lost.',
    obeys: ['agent'],
    done: true,
  },
  'ack.originator-gone': {
    source: 'offices.md#answers',
    rule:
      'When the Agent is gone before its answer arrives, the Server drops the answer, sends nothing about it to the ' +
      'office or to the Computer, and keeps running.',
    obeys: ['server'],
    done: true,
  },
  'ack.own-disconnect': {
    source: 'offices.md#answers',
    rule:
      'Pending requests fail as soon as the Socket.IO connection of the ' +
      'Agent is lost, not only after their timeouts.',
    obeys: ['agent'],
    done: true,
  },
  'limits.message': {
    source: 'connection.md#message-size',
    rule: 'The message limit of the Server is configurable and 16 MiB by default.',
    obeys: ['server'],
    done: true,
  },
  'limits.result': {
    source: 'connection.md#message-size',
    rule:
      'A tool result above the message limit becomes an `isError` result that states ' +
      'its size and the limit, and the connection survives.',
    obeys: ['computer'],
    done: true,
  },
  'limits.answer': {
    source: 'connection.md#message-size',
    rule:
      'A message above the limit that is no tool result becomes error 413 with its size and ' +
      'the limit before it is emitted, and the connection survives.',
    obeys: ['agent', 'computer'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
