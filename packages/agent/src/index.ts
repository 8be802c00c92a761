export type { ListenOptions, Logger } from '@a2c-smcp/core';
export type { ConnectionState, Renewable } from '@a2c-smcp/peer';
export {
  type A2CSkillRef,
  authHintOf,
  type CallToolResult,
  type ContentBlock,
  type DPEDocument,
  type DPEDocumentSummary,
  type DPEElementDetail,
  type DPEHit,
  type DPEPage,
  ErrorCode,
  type ErrorReason,
  errorCodeOf,
  type GetComputerConfigRet,
  isCancelled,
  isTimedOut,
  type Prompt,
  type PromptMessage,
  type Resource,
  type ResourceContents,
  type SessionInfo,
  type SMCPTool,
  SmcpError,
  type ToolMeta,
  textOf,
} from '@a2c-smcp/protocol';
export { Agent } from './agent.ts';
export type { BlobContents } from './blobs.ts';
export { type DesktopPromptOptions, desktopPrompt } from './desktop-prompt.ts';
export type { KnownPage, PageFormat } from './documents.ts';
export type { AgentEvents, ComputerView, FinderPage, ToolFound, Topic } from './events.ts';
export type {
  AgentOptions,
  DesktopOptions,
  FinderOptions,
  PageIndexOptions,
  PageOptions,
  PagesOptions,
  PromptsOptions,
  PromptWanted,
  ReadBlobOptions,
  ReadResourceOptions,
  ResourcesOptions,
  ToolCall,
  ToolWanted,
} from './options.ts';
export type { CallAnswer, CallQuestion, OnQuestion } from './questions.ts';
export type { CallProgress, RequestOptions, ToolCallOptions } from './requests.ts';
export type { FoundPage, SearchOptions, SearchResult } from './search.ts';
export { renderSkill, type SkillsPromptOptions, skillsPrompt } from './skill-prompt.ts';
export type { SkillFile } from './skills.ts';
export { annotationsOf, toolMetaOf } from './tool-meta.ts';
export type { UploadedFile, UploadOptions, UploadProgress } from './upload.ts';
export type { RereadableBytes, UploadSource } from './upload-source.ts';
