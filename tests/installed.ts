import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Package, packages, root } from './packages.ts';

const run = promisify(execFile);

/** A project into which packages were installed. */
export interface Project extends Disposable {
  folder: string;
  /** Bytes of each tarball, if they were made here. */
  sizes: Map<string, number> | undefined;
}

/** Every package that is published. */
export const shipped = packages().filter(({ manifest }) => manifest.private !== true);

/**
 * An empty project with every published package as `npm pack` makes it. Each finds what its own manifest declares and
 * nothing else; that comes from the repository, so this takes no network. `A2C_TEST_PROJECT` names a project into which they
 * were installed otherwise.
 */
export async function installShipped(): Promise<Project> {
  const given = process.env.A2C_TEST_PROJECT;
  if (given !== undefined) return { folder: given, sizes: undefined, [Symbol.dispose]() {} };
  const folder = mkdtempSync(join(tmpdir(), 'a2c-pack-'));
  const workspaces = shipped.flatMap(({ folder }) => ['--workspace', `packages/${folder}`]);
  const { stdout } = await run('npm', ['pack', ...workspaces, '--json', '--pack-destination', folder], { cwd: root });
  const packed = Object.values<{ name: string; filename: string; size: number }>(JSON.parse(stdout));
  for (const shippedPackage of shipped) {
    const { name } = shippedPackage.manifest;
    const tarball = packed.find(candidate => candidate.name === name)?.filename;
    if (!tarball) throw new Error(`npm has not packed ${name}`);
    const target = join(folder, 'node_modules', name);
    mkdirSync(target, { recursive: true });
    await run('tar', ['-xzf', join(folder, tarball), '-C', target, '--strip-components=1']);
    linkDependencies(shippedPackage, target, folder);
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  const sizes = new Map(packed.map(({ name, size }) => [name, size]));
  return { folder, sizes, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function linkDependencies({ folder }: Package, target: string, project: string): void {
  const manifest: Package['manifest'] = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
  const ours = new Set(shipped.map(({ manifest }) => manifest.name));
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    if (ours.has(name)) continue;
    const places = [join(root, 'packages', folder, 'node_modules', name), join(root, 'node_modules', name)];
    const installed = places.find(existsSync);
    if (!installed) throw new Error(`${name}, which ${manifest.name} needs, is not installed`);
    // A peer that is required is installed beside the package, where the project can import it too.
    const isShared = name in (manifest.peerDependencies ?? {}) && !manifest.peerDependenciesMeta?.[name]?.optional;
    const link = join(isShared ? project : target, 'node_modules', name);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(installed, link, 'junction');
  }
}
