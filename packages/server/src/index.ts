export type { Logger } from '@a2c-smcp/core';
export { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
export { type ApiKeyOptions, apiKeys } from './auth/api-keys.ts';
export type { Authenticate, Authorize, AuthRequest, CallRequest, Identity } from './auth/identity.ts';
export { type JwtOptions, jwt } from './auth/jwt.ts';
export type { OperatorAccess, OperatorConsole, OperatorHandler, OperatorRequest } from './http/console.ts';
export type { Health } from './http/operations.ts';
export { defaultLimits, type Limits } from './limits.ts';
export type { MemberInfo, MemberPlace, RefusalInfo, ServerEvents } from './office/roster.ts';
export type {
  CallRates,
  CallRecord,
  MoveRecord,
  NodeInfo,
  OfficeSummary,
  OperatorFrame,
  OperatorMember,
  OperatorSnapshot,
  Overview,
  RefusalRecord,
  SecondRecord,
} from './operator/types.ts';
export type { ListenOptions, NodeOptions, ServerOptions } from './options.ts';
export { SmcpServer } from './server.ts';
