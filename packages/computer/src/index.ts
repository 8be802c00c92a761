export type { ListenOptions, Logger } from '@a2c-smcp/core';
export type { ConnectionState, Renewable } from '@a2c-smcp/peer';
export {
  type A2CSkillRef,
  type CallToolResult,
  type ComputerConfigFile,
  ConfigError,
  type ContentBlock,
  type DPEDocumentSummary,
  type DPEHit,
  ErrorCode,
  type ErrorReason,
  type GetComputerConfigRet,
  type MCPServerConfig,
  type MCPServerInput,
  type PolicyRule,
  type ResourceContents,
  type SMCPTool,
  SmcpError,
  textOf,
} from '@a2c-smcp/protocol';
export type { AttentionItem } from './attention.ts';
export { type AuditProblem, type AuditVerification, auditedCalls, verifyAudit } from './audit/audit-files.ts';
export { type AuditOptions, isRecording } from './audit/audit-log.ts';
export type { AuditLine } from './audit/line.ts';
export type { SpoolOptions } from './blobs/spool.ts';
export type { UploadOptions } from './blobs/uploads.ts';
export { Computer } from './computer.ts';
export type { AddServerOptions, ComputerEvents, LocalToolCall } from './computer-types.ts';
export { readConfigFile } from './config/file.ts';
export {
  type AskSignIn,
  type Confirm,
  type Confirmation,
  type Elicit,
  type FaceCallbacks,
  faceOf,
} from './consent/confirm.ts';
export type { CallForecast } from './consent/consent.ts';
export type { ConsentControls, PinSelection, SupposedCall, ToolSource } from './consent/controls.ts';
export type { Pin } from './consent/pins.ts';
export { organizeDesktop, type PublishedWindow } from './desktop/organize.ts';
export type { DesktopQuery } from './desktop/show.ts';
export { type DocumentQuery, type FinderPage, type FinderQuery, organizeFinder } from './finder/organize.ts';
export { inputEnvNames } from './inputs/env-names.ts';
export { type FileStoreOptions, fileStore } from './inputs/file-store.ts';
export type { Ask, AskableInput, InputSource } from './inputs/inputs.ts';
export { keychainStore } from './inputs/keychain-store.ts';
export { type InputStore, memoryStore } from './inputs/store.ts';
export type { LoggingLevel, ServerLogLine } from './mcp/server-log.ts';
export type { Progress } from './mcp/session/progress.ts';
export type { Sample, SampleContext } from './mcp/session/sampling.ts';
export type { McpServerState, McpServerStatus } from './mcp/supervisor/status.ts';
export type { LocalTool } from './mcp/transport/function-server.ts';
export type { LocalMcpServer } from './mcp/transport/local.ts';
export type { AuthState } from './oauth/options.ts';
export type { SignInOptions, SignInStep } from './oauth/sign-in.ts';
export type { JoinOptions } from './office/presence.ts';
export type { ComputerOptions } from './options.ts';
export type { FormField } from './questions/form.ts';
export { checkField, fillForm } from './questions/form.ts';
export type {
  Answer,
  AnswerTo,
  ConfirmationQuestion,
  FormQuestion,
  InputQuestion,
  Question,
  QuestionKind,
  Remember,
  SignInQuestion,
  UrlQuestion,
} from './questions/question.ts';
export type { Face, QuestionEvents, Questions } from './questions/questions.ts';
export type { PublishedByServer } from './resources/published.ts';
export type { ViewChange } from './resources/view.ts';
export type { SkillsOptions } from './skills/skills.ts';
export type { CallOutcome, PendingCall, ToolCallEvents, ToolCallRecord } from './tools/calls.ts';
export { type ResultTransformer, type TransformableCall, vrlTransformer } from './tools/transformer.ts';
export type { ResourceProblem } from './warnings.ts';
