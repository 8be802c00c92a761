export type { Logger } from '@a2c-smcp/core';
export { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
export { type ApiKeyOptions, apiKeys } from './auth/api-keys.ts';
export type { Authenticate, AuthRequest, Identity } from './auth/identity.ts';
export { type JwtOptions, jwt } from './auth/jwt.ts';
export type { Health } from './http/operations.ts';
export { defaultLimits, type Limits } from './limits.ts';
export type { ListenOptions, ServerOptions } from './options.ts';
export { SmcpServer } from './server.ts';
