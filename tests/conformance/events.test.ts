import * as protocol from '@a2c-smcp/protocol';
import { expect } from 'vitest';
import { verifies } from './verifies.ts';

const { clientEvents, notifyEvents, serverEvents, signalEvents } = protocol;

verifies('event.namespace', () => expect(protocol.SMCP_NAMESPACE).toBe('/smcp'));

verifies('event.client.tool-call', () => {
  expect(protocol.TOOL_CALL_EVENT).toBe('client:tool_call');
  expect(clientEvents['client:tool_call']).toEqual({
    request: protocol.ToolCallReq,
    response: protocol.CallToolResult,
  });
});

verifies('event.client.get-config', () => {
  expect(protocol.GET_CONFIG_EVENT).toBe('client:get_config');
  const { GetComputerConfigReq: request, GetComputerConfigRet: response } = protocol;
  expect(clientEvents['client:get_config']).toEqual({ request, response });
});

verifies('event.client.get-tools', () => {
  expect(protocol.GET_TOOLS_EVENT).toBe('client:get_tools');
  expect(clientEvents['client:get_tools']).toEqual({ request: protocol.GetToolsReq, response: protocol.GetToolsRet });
});

verifies('event.client.get-desktop', () => {
  expect(protocol.GET_DESKTOP_EVENT).toBe('client:get_desktop');
  const { GetDeskTopReq: request, GetDeskTopRet: response } = protocol;
  expect(clientEvents['client:get_desktop']).toEqual({ request, response });
});

verifies('event.client.get-finder', () => {
  expect(protocol.GET_FINDER_EVENT).toBe('client:get_finder');
  expect(clientEvents['client:get_finder']).toEqual({
    request: protocol.GetFinderReq,
    response: protocol.GetFinderRet,
  });
});

verifies('event.client.get-resources', () => {
  expect(protocol.GET_RESOURCES_EVENT).toBe('client:get_resources');
  const { GetResourcesReq: request, GetResourcesRet: response } = protocol;
  expect(clientEvents['client:get_resources']).toEqual({ request, response });
});

verifies('event.client.get-dpe', () => {
  expect(protocol.GET_DPE_EVENT).toBe('client:get_dpe');
  expect(clientEvents['client:get_dpe']).toEqual({ request: protocol.GetDpeReq, response: protocol.GetDpeRet });
});

verifies('event.client.read-resource', () => {
  expect(protocol.READ_RESOURCE_EVENT).toBe('client:read_resource');
  const { ReadResourceReq: request, ReadResourceRet: response } = protocol;
  expect(clientEvents['client:read_resource']).toEqual({ request, response });
});

verifies('event.server.join-office', () => {
  expect(protocol.JOIN_OFFICE_EVENT).toBe('server:join_office');
  expect(serverEvents['server:join_office']).toEqual({
    request: protocol.EnterOfficeReq,
    response: protocol.OfficeAck,
  });
});

verifies('event.server.leave-office', () => {
  expect(protocol.LEAVE_OFFICE_EVENT).toBe('server:leave_office');
  expect(serverEvents['server:leave_office']).toEqual({
    request: protocol.LeaveOfficeReq,
    response: protocol.OfficeAck,
  });
});

verifies('event.server.list-room', () => {
  expect(protocol.LIST_ROOM_EVENT).toBe('server:list_room');
  expect(serverEvents['server:list_room']).toEqual({ request: protocol.ListRoomReq, response: protocol.ListRoomRet });
});

verifies('event.notify.enter-office', () => {
  expect(protocol.ENTER_OFFICE_NOTIFICATION).toBe('notify:enter_office');
  expect(notifyEvents['notify:enter_office']).toBe(protocol.EnterOfficeNotification);
});

verifies('event.notify.leave-office', () => {
  expect(protocol.LEAVE_OFFICE_NOTIFICATION).toBe('notify:leave_office');
  expect(notifyEvents['notify:leave_office']).toBe(protocol.LeaveOfficeNotification);
});

verifies(['event.server.update-config', 'event.notify.update-config'], () => {
  expect(protocol.UPDATE_CONFIG_EVENT).toBe('server:update_config');
  expect(signalEvents['server:update_config']).toEqual({ from: 'computer', payload: protocol.UpdateComputerConfigReq });
  expect(protocol.UPDATE_CONFIG_NOTIFICATION).toBe('notify:update_config');
  expect(notifyEvents['notify:update_config']).toBe(protocol.UpdateMCPConfigNotification);
});

verifies(['event.server.update-tool-list', 'event.notify.update-tool-list'], () => {
  expect(protocol.UPDATE_TOOL_LIST_EVENT).toBe('server:update_tool_list');
  expect(signalEvents['server:update_tool_list'].from).toBe('computer');
  expect(signalEvents['server:update_tool_list'].payload.safeParse({ computer: 'c1' }).success).toBe(true);
  expect(protocol.UPDATE_TOOL_LIST_NOTIFICATION).toBe('notify:update_tool_list');
  expect(notifyEvents['notify:update_tool_list']).toBe(protocol.UpdateToolListNotification);
});

verifies(['event.server.update-desktop', 'event.notify.update-desktop'], () => {
  expect(protocol.UPDATE_DESKTOP_EVENT).toBe('server:update_desktop');
  expect(signalEvents['server:update_desktop']).toEqual({
    from: 'computer',
    payload: protocol.UpdateComputerConfigReq,
  });
  expect(protocol.UPDATE_DESKTOP_NOTIFICATION).toBe('notify:update_desktop');
  expect(notifyEvents['notify:update_desktop']).toBe(protocol.UpdateComputerConfigReq);
});

verifies(['event.server.update-finder', 'event.notify.update-finder'], () => {
  expect(protocol.UPDATE_FINDER_EVENT).toBe('server:update_finder');
  expect(signalEvents['server:update_finder']).toEqual({ from: 'computer', payload: protocol.UpdateComputerConfigReq });
  expect(protocol.UPDATE_FINDER_NOTIFICATION).toBe('notify:update_finder');
  expect(notifyEvents['notify:update_finder']).toBe(protocol.UpdateComputerConfigReq);
});

verifies(['event.server.tool-call-cancel', 'event.notify.tool-call-cancel'], () => {
  expect(protocol.CANCEL_TOOL_CALL_EVENT).toBe('server:tool_call_cancel');
  expect(signalEvents['server:tool_call_cancel']).toEqual({ from: 'agent', payload: protocol.AgentCallData });
  expect(protocol.CANCEL_TOOL_CALL_NOTIFICATION).toBe('notify:tool_call_cancel');
  expect(notifyEvents['notify:tool_call_cancel']).toBe(protocol.AgentCallData);
});
