import type { Handler } from '@a2c-smcp/core';
import type { ClientEvent } from '@a2c-smcp/protocol';
import type { Skills } from '../skills/skills.ts';
import type { Membership } from './membership.ts';

export interface SkillHandlerOptions {
  membership: Membership;
  /** Serves one request. */
  answer: <E extends ClientEvent>(event: E, handler: Handler<E>) => void;
  /** The answer if it fits into a message; throws otherwise. */
  fit: <T>(what: string, answer: T) => T;
}

/** Answers the Agent's requests about skills. */
export function serveSkills(skills: Skills, options: SkillHandlerOptions): void {
  const { membership, answer, fit } = options;
  answer('client:get_skills', async ({ req_id }) => {
    return fit('The list of skills', { skills: await skills.list(), req_id });
  });
  answer('client:get_skill', async ({ name, rel_path, req_id }) => {
    const { path, mimeType, size, sha256, body, handle } = await skills.read(
      name,
      rel_path ?? undefined,
      officeOf(membership),
    );
    // Exactly one of the two: the official Server does not pass on a null.
    const content = body === undefined ? { blob_handle: handle } : { body };
    const file = { name, rel_path: path, mime_type: mimeType, total_size: size, sha256, ...content, req_id };
    return fit(`The file '${path}'`, file);
  });
}

/** Before its own join is answered a Computer has no Agent that could ask. */
export function officeOf({ peer }: Membership): string {
  return peer?.office ?? '';
}
