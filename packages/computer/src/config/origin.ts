import { createHash } from 'node:crypto';

/**
 * Identifies the configuration that an MCP server comes from. The value of an input belongs to one origin and never
 * reaches the servers of another, whatever ids their inputs have.
 */
export type Origin = string;

/** The origin of what a file configures. @param path its real path: links to a file are that file, copies are not */
export function fileOrigin(path: string): Origin {
  return `file:${path}`;
}

/** The origin of what a program configures under a name. */
export function namedOrigin(name: string): Origin {
  return `name:${name}`;
}

/**
 * The key under which a store has the value of an input. The origin is hashed: its length is then fixed, so that no id
 * can make up the key of another origin, and a store does not tell the paths of its owner.
 */
export function storeKey(origin: Origin, id: string): string {
  return `${hashOf(origin)}:${id}`;
}

/** The SHA-256 sum of a text, in hexadecimal digits. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
