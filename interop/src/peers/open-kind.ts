import type { Release } from '../releases.ts';
import type { Kind } from './peer.ts';
import { python } from './python.ts';
import { pythonEnvironment } from './python-environment.ts';
import { rust } from './rust.ts';
import { rustEnvironment } from './rust-environment.ts';

/** Installs a release unless it is installed. Throws `Unavailable` where that cannot be. */
export async function install({ language, version }: Release): Promise<void> {
  await (language === 'python' ? pythonEnvironment(version) : rustEnvironment(version));
}

/** All roles of a release. The caller closes it. */
export async function openKind(release: Release): Promise<Kind> {
  const { language, version } = release;
  if (language === 'python') return python(release, await pythonEnvironment(version));
  return rust(release, await rustEnvironment(version));
}
