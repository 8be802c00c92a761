import type { Requirement } from './requirement.ts';

/** Skills: names, files, sources and changes. */
export const skills = {
  'skills.name.malformed': {
    source: 'skills.md#names',
    rule: 'A malformed name of a skill is error 4016 with `details.name`.',
    obeys: ['computer'],
    done: true,
  },
  'skills.name.unknown': {
    source: 'skills.md#names',
    rule: 'A well-formed name that no skill has is error 4014 with `details.name` and without `details.mcp_server`.',
    obeys: ['computer'],
    done: true,
  },
  'skills.list': {
    source: 'skills.md#front-matter',
    rule: '`client:get_skills` lists skills with the fields of their front matter, leaving out those not given.',
    obeys: ['computer', 'agent'],
    done: true,
  },
  'skills.list.description': {
    source: 'skills.md#front-matter',
    rule: 'A folder whose `SKILL.md` has no front matter with a description is no skill.',
    obeys: ['computer'],
    done: true,
  },
  'skills.file.entry': {
    source: 'skills.md#files',
    rule: 'Without `rel_path` the answer is `SKILL.md` without its front matter, with size and sum of those bytes.',
    obeys: ['computer'],
    done: true,
  },
  'skills.file.text': {
    source: 'skills.md#files',
    rule: 'Text of up to 32 KiB is in `body`, and every other file has a `blob_handle`, never both.',
    obeys: ['computer', 'agent'],
    done: true,
  },
  'skills.file.mime': {
    source: 'skills.md#files',
    rule: 'The MIME type of a file follows from its extension alone, and sources of programs are text.',
    obeys: ['computer'],
    done: true,
  },
  'skills.file.traversal': {
    source: 'skills.md#files',
    rule: 'A path that leads out of the folder of its skill, by its text or by a link, is error 4017 `traversal`.',
    obeys: ['computer'],
    done: true,
  },
  'skills.file.forbidden': {
    source: 'skills.md#files',
    rule: '`.skillenv` in any letter case is error 4017 `forbidden`, whether it exists or not.',
    obeys: ['computer'],
    done: true,
  },
  'skills.file.not-found': {
    source: 'skills.md#files',
    rule: 'A path without a file is error 4017 `not_found`.',
    obeys: ['computer'],
    done: true,
  },
  'skills.file.too-large': {
    source: 'skills.md#files',
    rule: 'A file above 100 MiB is error 4017 `too_large` with `details.total_size`.',
    obeys: ['computer'],
    done: true,
  },
  'skills.blob.parts': {
    source: 'skills.md#files',
    rule: 'A file behind a handle is fetched in parts of at most 256 KiB, and its path is checked for every part.',
    obeys: ['computer', 'agent'],
    done: true,
  },
  'skills.blob.refused': {
    source: 'skills.md#files',
    rule: 'A handle that is malformed, expired or of another office, or an offset beyond the end, is error 4018.',
    obeys: ['computer'],
    done: true,
  },
  'skills.mcp.resources': {
    source: 'skills.md#skills-of-mcp-servers',
    rule: 'Files of a skill with `source: resources` are read through from the MCP server.',
    obeys: ['computer'],
    done: true,
  },
  'skills.mcp.mounted': {
    source: 'skills.md#skills-of-mcp-servers',
    rule: 'A skill with `source: mounted` is served only below folders that the owner of the Computer allows.',
    obeys: ['computer'],
    done: true,
  },
  'skills.mcp.archive': {
    source: 'skills.md#skills-of-mcp-servers',
    rule: 'A skill with `source: archive` is unpacked within limits, and one with a link or a path that leads out is left out.',
    obeys: ['computer'],
    done: true,
  },
  'skills.changes': {
    source: 'skills.md#changes',
    rule: 'A Computer sends `server:update_skills` when a skill came or went or its `SKILL.md` changed.',
    obeys: ['computer'],
    done: true,
  },
  'skills.follow': {
    source: 'skills.md#changes',
    rule: 'An Agent that follows skills asks for them again after `notify:update_skills`, and before that not at all.',
    obeys: ['agent'],
    done: true,
  },
  'skills.render': {
    source: 'skills.md#rendering',
    rule: 'The Agent replaces `${TFROBOT_SKILL_DIR}` by the folder of the skill, and the Computer does not.',
    obeys: ['agent', 'computer'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
