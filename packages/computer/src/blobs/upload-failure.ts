import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';

/** Why an upload or a part of it was refused. */
export type UploadReason =
  | 'forbidden'
  | 'invalid_declaration'
  | 'too_large'
  | 'busy'
  | 'invalid_upload'
  | 'range'
  | 'integrity'
  | 'io_error';

/** Error 4019. */
export function uploadFailure(reason: UploadReason, message: string, details: Record<string, unknown> = {}): SmcpError {
  return new SmcpError(ErrorCode.UploadFailed, message, { details: { reason, ...details } });
}
