export { GetBlobReq, GetBlobRet, PutBlobReq, PutBlobRet } from './blobs.ts';
export { AgentCallData, ComputerCallData } from './call.ts';
export {
  ComputerConfigFile,
  GetComputerConfigReq,
  GetComputerConfigRet,
  QuestionSettings,
  UpdateComputerConfigReq,
  UpdateMCPConfigNotification,
  UpdateToolListNotification,
} from './config.ts';
export { Desktop, GetDeskTopReq, GetDeskTopRet } from './desktop.ts';
export { ErrorPayload, VersionErrorBody } from './error.ts';
export {
  DPECatalog,
  DPEDocument,
  DPEDocumentSummary,
  DPEElementDetail,
  DPEHit,
  DPEPage,
  DPEPageSummary,
  ElementCategory,
  GetFinderReq,
  GetFinderRet,
  UpdateFinderReq,
} from './finder.ts';
export {
  MCPServerCommandInput,
  MCPServerInput,
  MCPServerInputBase,
  MCPServerPickStringInput,
  MCPServerPromptStringInput,
  PickStringOption,
} from './inputs.ts';
export {
  AdoptedWindow,
  BaseMCPServerConfig,
  MCPServerConfig,
  MCPServerOAuth,
  MCPServerStdioConfig,
  MCPServerStdioParameters,
  MCPServerStreamableHttpConfig,
  MCPServerStreamableHttpParameters,
  MCPSSEConfig,
  MCPSSEParameters,
  SERVER_NAME,
} from './mcp-server.ts';
export {
  EnterOfficeNotification,
  EnterOfficeReq,
  LeaveOfficeNotification,
  LeaveOfficeReq,
  ListRoomReq,
  ListRoomRet,
  OfficeAck,
  Role,
  SessionInfo,
} from './office.ts';
export { PolicyRule } from './policy.ts';
export { GetPromptReq, GetPromptRet, GetPromptsReq, GetPromptsRet, Prompt, PromptMessage } from './prompts.ts';
export { AnswerQuestionReq, AnswerQuestionRet, ToolQuestion } from './questions.ts';
export {
  GetDpeReq,
  GetDpeRet,
  GetResourcesReq,
  GetResourcesRet,
  ReadResourceReq,
  ReadResourceRet,
  Resource,
  ResourceContents,
} from './resources.ts';
export { A2CSkillRef, GetSkillReq, GetSkillRet, GetSkillsReq, GetSkillsRet } from './skills.ts';
export {
  Attributes,
  AttributeValue,
  CallToolResult,
  GetToolsReq,
  GetToolsRet,
  SMCPTool,
  TOOL_NAME,
  ToolCallReq,
  ToolMeta,
  ToolProgress,
} from './tools.ts';
