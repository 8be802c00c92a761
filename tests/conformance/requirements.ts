import { architecture } from './requirements/architecture.ts';
import { blobs } from './requirements/blobs.ts';
import { config } from './requirements/config.ts';
import { connection } from './requirements/connection.ts';
import { desktop } from './requirements/desktop.ts';
import { documents } from './requirements/documents.ts';
import { dpeUri } from './requirements/dpe-uri.ts';
import { errors } from './requirements/errors.ts';
import { events } from './requirements/events.ts';
import { extensions } from './requirements/extensions.ts';
import { finder } from './requirements/finder.ts';
import { identity } from './requirements/identity.ts';
import { resources } from './requirements/resources.ts';
import { skills } from './requirements/skills.ts';
import { structures } from './requirements/structures.ts';
import { tools } from './requirements/tools.ts';

export type { Party, Requirement } from './requirements/requirement.ts';

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
  ...skills,
  ...extensions,
} as const;

export type RequirementId = keyof typeof requirements;
