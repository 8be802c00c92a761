/** A skill or a plugin: lower-case letters and digits, with single hyphens between them. */
const SEGMENT = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_SEGMENT_LENGTH = 64;
/** A `bundle_id`. The protocol has no limit for it, but a name is part of requests, errors and log lines. */
const BUNDLE_ID = /^(?!.*__)[A-Za-z0-9_-]{1,256}$/;

/** True if a text may be the last part of a skill's name. */
export function isSkillSegment(text: string): boolean {
  return text.length <= MAX_SEGMENT_LENGTH && SEGMENT.test(text);
}

/** True if a text is a well-formed name of a skill of any source: `skill`, `plugin:skill` or `mcp:bundle_id:skill`. */
export function isSkillName(text: string): boolean {
  const [first = '', second, third, ...more] = text.split(':');
  if (more.length > 0) return false;
  if (third !== undefined) return first === 'mcp' && BUNDLE_ID.test(second ?? '') && isSkillSegment(third);
  return isSkillSegment(first) && (second === undefined || isSkillSegment(second));
}

/** The name of a skill that an MCP server publishes; undefined when its parts allow none. */
export function mcpSkillName(bundleId: string, skill: string): string | undefined {
  const name = `mcp:${bundleId}:${skill}`;
  return isSkillName(name) ? name : undefined;
}
