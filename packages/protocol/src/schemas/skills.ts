import * as z from 'zod/mini';
import { ComputerCallData } from './call.ts';

/** A skill of a Computer: instructions for a model, with the files that they mention. */
export const A2CSkillRef = z.looseObject({
  /** Opaque: `skill`, `plugin:skill` or `mcp:bundle_id:skill`. */
  name: z.string(),
  /** `user`, `marketplace:NAME` or `mcp:BUNDLE_ID`. */
  source: z.string(),
  /** The absolute folder on the Computer. For the Agent's code, never for the model. */
  path: z.string(),
  description: z.string(),
  /** Of a skill that an MCP server publishes. */
  uri: z.nullish(z.string()),
  license: z.nullish(z.string()),
  compatibility: z.nullish(z.string()),
  allowed_tools: z.nullish(z.array(z.string())),
  tags: z.nullish(z.array(z.string())),
  version: z.nullish(z.string()),
  skill_metadata: z.nullish(z.record(z.string(), z.unknown())),
});
export type A2CSkillRef = z.infer<typeof A2CSkillRef>;

export const GetSkillsReq = ComputerCallData.clone();
export type GetSkillsReq = z.infer<typeof GetSkillsReq>;

export const GetSkillsRet = z.looseObject({
  skills: z.array(A2CSkillRef),
  req_id: z.string(),
});
export type GetSkillsRet = z.infer<typeof GetSkillsRet>;

/** Reads one file of a skill. */
export const GetSkillReq = z.extend(ComputerCallData, {
  name: z.string(),
  /** @default 'SKILL.md', which is served without its front matter */
  rel_path: z.nullish(z.string()),
});
export type GetSkillReq = z.infer<typeof GetSkillReq>;

/** A file of a skill: short text is in `body`, everything else behind `blob_handle`. */
export const GetSkillRet = z.looseObject({
  name: z.string(),
  rel_path: z.string(),
  mime_type: z.string(),
  total_size: z.int(),
  sha256: z.string(),
  body: z.nullish(z.string()),
  blob_handle: z.nullish(z.string()),
  req_id: z.string(),
});
export type GetSkillRet = z.infer<typeof GetSkillRet>;
