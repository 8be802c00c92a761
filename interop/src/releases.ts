import type { Topic } from './peers/peer.ts';

/** An official release. */
export interface Release {
  language: 'python' | 'rust';
  version: string;
  protocolVersion?: string;
  knows: readonly Topic[];
}

const second = ['desktop', 'resources', 'skills', 'skill-files'] as const;
const third = [...second, 'labels'] as const;
const fourth = [...third, 'uploads'] as const;

/**
 * The newest release of each line of the official Python package, each with its requirements in `requirements/`, and
 * the newest of the official Rust crate, pinned in `rust/Cargo.lock`.
 */
export const releases: readonly Release[] = [
  { language: 'python', version: '0.1.2', knows: ['desktop'] },
  { language: 'python', version: '0.2.2', protocolVersion: '0.2.0', knows: second },
  { language: 'python', version: '0.3.3', protocolVersion: '0.3.1', knows: third },
  { language: 'python', version: '0.4.2', protocolVersion: '0.4.0', knows: fourth },
  { language: 'rust', version: '0.4.1', protocolVersion: '0.4.0', knows: fourth },
];

/** As in `python-0.1.2`. */
export function idOf({ language, version }: Release): string {
  return `${language}-${version}`;
}

/** The release that a person means by `python-0.4.2`, `0.4.2` or `rust-0.4.1`. */
export function findRelease(name: string): Release | undefined {
  return releases.find(release => idOf(release) === (/^\d/.test(name) ? `python-${name}` : name));
}

/** As in `Python 0.1.2`. */
export function titleOf(id: string): string {
  return id.replace(/^(\w)(\w+)-/, (_, first: string, rest: string) => `${first.toUpperCase()}${rest} `);
}
