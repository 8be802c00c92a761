export type { ListenOptions, Logger } from '@a2c-smcp/core';
export type { ConnectionState } from '@a2c-smcp/peer';
export { Agent } from './agent.ts';
export { type DesktopPromptOptions, desktopPrompt } from './desktop-prompt.ts';
export type { PageFormat } from './documents.ts';
export type { AgentEvents, ComputerView, FinderPage, Topic } from './office/events.ts';
export type { ToolFound } from './office/wait-for-tool.ts';
export type {
  AgentOptions,
  DesktopOptions,
  FinderOptions,
  PageIndexOptions,
  PageOptions,
  ReadResourceOptions,
  ResourcesOptions,
  ToolCall,
  ToolWanted,
} from './options.ts';
export type { RequestOptions } from './requests.ts';
export { annotationsOf, toolMetaOf } from './tool-meta.ts';
export { authHintOf, errorCodeOf, isCancelled, isTimedOut } from './tool-result.ts';
