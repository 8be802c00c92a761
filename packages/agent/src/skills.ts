import { type A2CSkillRef, ErrorCode, type GetSkillRet, SmcpError } from '@a2c-smcp/protocol';
import type { BlobContents } from './blobs.ts';
import type { RequestOptions, Requests } from './requests.ts';

const TEXT = /^text\/|\+(?:json|xml|yaml)$|^application\/(?:json|xml|yaml|toml|javascript)$/;

/** A file of a skill. Either `text` or `data` is there. */
export interface SkillFile {
  name: string;
  /** Below the folder of the skill. */
  path: string;
  mimeType: string;
  /** Bytes. */
  size: number;
  /** In lower-case hexadecimal digits. */
  sha256: string;
  text?: string;
  data?: Uint8Array;
}

/** A file to read. */
export interface SkillFileWanted {
  computer: string;
  name: string;
  /** @default 'SKILL.md' */
  path?: string | undefined;
  /** Reads the bytes behind a handle. */
  readBlob: (handle: string) => Promise<BlobContents>;
}

/** The skills of a Computer. */
export async function listSkills(
  requests: Requests,
  computer: string,
  options: RequestOptions | undefined,
): Promise<A2CSkillRef[]> {
  const { skills } = await requests.send('client:get_skills', { computer }, options);
  return skills;
}

/** Reads a file of a skill, in parts where it is not short text. */
export async function readSkillFile(
  requests: Requests,
  { computer, name, path, readBlob }: SkillFileWanted,
  options: RequestOptions = {},
): Promise<SkillFile> {
  const subject = { computer, name, ...(path === undefined ? {} : { rel_path: path }) };
  const answer = await requests.send('client:get_skill', subject, options);
  const { blob_handle: handle } = answer;
  if (typeof answer.body === 'string') return { ...fileOf(answer), text: answer.body };
  if (typeof handle !== 'string') {
    throw new SmcpError(ErrorCode.Internal, 'Malformed answer to client:get_skill: neither a body nor a handle');
  }
  const { data, sha256 } = await readBlob(handle);
  const text = TEXT.test(answer.mime_type) ? textOf(data) : undefined;
  return { ...fileOf(answer), size: data.length, sha256, ...(text === undefined ? { data } : { text }) };
}

function fileOf({ name, rel_path, mime_type, total_size, sha256 }: GetSkillRet): Omit<SkillFile, 'text' | 'data'> {
  return { name, path: rel_path, mimeType: mime_type, size: total_size, sha256 };
}

function textOf(data: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return undefined;
  }
}
