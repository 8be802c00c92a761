import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** The address of the repository on the web. */
export const address = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).repository.url.replace(
  /^git\+|\.git$/g,
  '',
);

export interface Package {
  /** The folder below `packages/`. */
  folder: string;
  manifest: {
    name: string;
    version: string;
    keywords?: string[];
    private?: boolean;
    scripts?: Record<string, string>;
    exports?: Record<string, string | { '@a2c-smcp/source'?: string }>;
    dependencies?: Record<string, string>;
    peerDependencies?: Record<string, string>;
    peerDependenciesMeta?: Record<string, { optional?: boolean }>;
    optionalDependencies?: Record<string, string>;
  };
  sources: SourceFile[];
}

export interface SourceFile {
  /** Relative to the root of the repository. */
  path: string;
  text: string;
  /** The imports of the file, tests excluded, as written. */
  imports: string[];
}

/** Every package with its sources, without tests. */
export function packages(): Package[] {
  return readdirSync(join(root, 'packages')).map(folder => ({
    folder,
    manifest: JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')),
    sources: sourceFiles(join('packages', folder, 'src')).filter(({ path }) => !path.endsWith('.test.ts')),
  }));
}

/** Every TypeScript file below a folder of the repository. */
export function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !/(^|\/)(node_modules|dist)\//.test(name))
    .map(name => {
      const path = join(folder, name);
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, imports: importsOf(text) };
    });
}

function importsOf(text: string): string[] {
  const statements = text.matchAll(
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]/gm,
  );
  return [...statements].map(match => match[1] ?? match[2] ?? match[3] ?? '');
}
