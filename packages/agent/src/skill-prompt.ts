import { clip } from '@a2c-smcp/core';
import { type A2CSkillRef, ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import type { Agent } from './agent.ts';
import type { RequestOptions } from './requests.ts';

/** Characters of a description in a catalogue. */
const MAX_DESCRIPTION_LENGTH = 1024;
/** The variable by which the text of a skill names its folder. */
const FOLDER_PLACEHOLDER = '${TFROBOT_SKILL_DIR}';

export interface SkillsPromptOptions extends RequestOptions {
  /** @default all Computers of the office */
  computers?: readonly string[];
  /** Only skills that have one of these tags. @default all */
  tags?: readonly string[];
}

/**
 * The names and descriptions of all skills as one text, for the prompt of a model. Computers without skills, or that do
 * not know of skills, are left out; those that could not be read are named.
 */
export async function skillsPrompt(
  agent: Pick<Agent, 'computers' | 'skills'>,
  { computers = [...agent.computers.keys()], tags, ...options }: SkillsPromptOptions = {},
): Promise<string> {
  const lists = await Promise.allSettled(computers.map(computer => agent.skills(computer, options)));
  options.signal?.throwIfAborted();
  const sections = lists.flatMap((list, index) => {
    const lines = list.status === 'rejected' ? failureLines(list.reason) : skillLines(list.value, tags);
    return lines.length > 0 ? [[`# Skills of computer '${computers[index]}'`, ...lines].join('\n')] : [];
  });
  return sections.length > 0 ? sections.join('\n\n') : 'There are no skills in this office.';
}

/** The text of a skill for a model: its placeholder becomes the folder of the skill on the Computer. */
export function renderSkill(text: string, { path }: Pick<A2CSkillRef, 'path'>): string {
  return text.replaceAll(FOLDER_PLACEHOLDER, () => path);
}

/** Each on one line, so that no description can pretend to be another entry. */
function skillLines(skills: readonly A2CSkillRef[], tags: readonly string[] | undefined): string[] {
  const chosen = skills.filter(skill => !tags || (skill.tags ?? []).some(tag => tags.includes(tag)));
  return chosen.map(({ name, description }) => `- ${oneLine(name)}: ${oneLine(description)}`);
}

function oneLine(text: string): string {
  return clip(text.replace(/\s+/g, ' ').trim(), MAX_DESCRIPTION_LENGTH);
}

function failureLines(error: unknown): string[] {
  const isUnknown = error instanceof SmcpError && error.code === ErrorCode.BadRequest;
  return isUnknown ? [] : ['(could not be read)'];
}
