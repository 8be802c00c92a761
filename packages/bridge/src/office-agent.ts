import type { Agent } from '@a2c-smcp/agent';

/** The part of an Agent that a bridge uses. An `Agent` is one, and so is the Agent of another process on this machine. */
export type OfficeAgent = Pick<
  Agent,
  | 'office'
  | 'joined'
  | 'computers'
  | 'on'
  | 'members'
  | 'callTool'
  | 'getDesktop'
  | 'getFinder'
  | 'searchDocuments'
  | 'readPages'
  | 'readPage'
  | 'readElement'
  | 'getPrompts'
  | 'getPrompt'
>;
