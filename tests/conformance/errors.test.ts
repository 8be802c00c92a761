import { ErrorCode, readError, SmcpError, toErrorPayload } from '@a2c-smcp/protocol';
import { expect } from 'vitest';
import { verifies } from './verifies.ts';

verifies('error.payload', () => {
  const details = { mcp_server: 'files', mcp_server_name: 'files' };
  const body = { code: 4014, message: 'No MCP server', details };
  expect(toErrorPayload(new SmcpError(4014, 'No MCP server', { details }))).toEqual({
    ...body,
    ...details,
    error: body,
  });
});

verifies('error.decode', () => {
  const body = { code: 4201, message: 'Document not found', details: { doc_ref: 'x' } };
  for (const payload of [body, { error: body }, { ...body, error: body }])
    expect(readError(payload)).toMatchObject(body);
});

verifies('error.codes.general', () => {
  const { BadRequest, Unauthorized, Forbidden, NotFound, Timeout, TooLarge, Internal, VersionMismatch } = ErrorCode;
  const codes = [BadRequest, Unauthorized, Forbidden, NotFound, Timeout, TooLarge, Internal, VersionMismatch];
  expect(codes).toEqual([400, 401, 403, 404, 408, 413, 500, 4008]);
});

verifies('error.codes.tool', () => {
  const { ToolNotFound, ToolDisabled, ToolFailed, ToolTimeout, ConfirmationRequired } = ErrorCode;
  const { UpstreamAuthRequired, UpstreamAuthFailed } = ErrorCode;
  expect([ToolNotFound, ToolDisabled, ToolFailed, ToolTimeout]).toEqual([4001, 4002, 4003, 4004]);
  expect([ConfirmationRequired, UpstreamAuthRequired, UpstreamAuthFailed]).toEqual([4005, 4006, 4007]);
});

verifies('error.codes.blobs', () => {
  const { InvalidSkillName, SkillFileNotAccessible, BlobNotAccessible, UploadFailed } = ErrorCode;
  const codes = [InvalidSkillName, SkillFileNotAccessible, BlobNotAccessible, UploadFailed];
  expect(codes).toEqual([4016, 4017, 4018, 4019]);
});

verifies('error.codes.finder', () => {
  const { DocumentNotFound, PageOutOfRange, ElementNotFound, InvalidDpeUri } = ErrorCode;
  expect([DocumentNotFound, PageOutOfRange, ElementNotFound, InvalidDpeUri]).toEqual([4201, 4202, 4203, 4204]);
});

verifies('error.codes.mcp', () => {
  const { DpeResolverMissing, DpeAddressInvalid, DpeResolutionFailed } = ErrorCode;
  expect([DpeResolverMissing, DpeAddressInvalid, DpeResolutionFailed]).toEqual([4011, 4012, 4013]);
  expect([ErrorCode.McpServerNotFound, ErrorCode.McpCapabilityMissing]).toEqual([4014, 4015]);
});
