import { architecture } from './rules/architecture.ts';
import { blobs } from './rules/blobs.ts';
import { config } from './rules/config.ts';
import { connection } from './rules/connection.ts';
import { desktop } from './rules/desktop.ts';
import { documents } from './rules/documents.ts';
import { dpeUri } from './rules/dpe-uri.ts';
import { errors } from './rules/errors.ts';
import { events } from './rules/events.ts';
import { extensions } from './rules/extensions.ts';
import { finder } from './rules/finder.ts';
import { identity } from './rules/identity.ts';
import { prompts } from './rules/prompts.ts';
import { resources } from './rules/resources.ts';
import { skills } from './rules/skills.ts';
import { structures } from './rules/structures.ts';
import { tools } from './rules/tools.ts';

export type { Party, Requirement } from './rules/requirement.ts';

/** Every rule of the protocol, each with the heading of `docs/protocol` that states it. */
export const requirements = {
  ...connection,
  ...architecture,
  ...events,
  ...structures,
  ...errors,
  ...tools,
  ...blobs,
  ...config,
  ...identity,
  ...desktop,
  ...dpeUri,
  ...finder,
  ...documents,
  ...resources,
  ...prompts,
  ...skills,
  ...extensions,
} as const;

export type RequirementId = keyof typeof requirements;
