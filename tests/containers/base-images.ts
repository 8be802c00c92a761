import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ContainerEngine } from './engine.ts';

/** Programs of this machine that `npm ci`, the scripts of the Dockerfile and npx start. */
const TOOLS = ['/bin/sh', '/usr/bin/env', '/usr/bin/find', '/bin/rm'];
/** Libraries that native modules of npm packages load, beside the C library. */
const LIBRARIES = ['libdl.so.2', 'libpthread.so.0', 'libresolv.so.2', 'librt.so.1'];
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Makes the images that `deploy/` names from the programs of this machine: no registry of images is needed, and the
 * engine pulls nothing that it has.
 */
export async function makeBaseImages(engine: ContainerEngine): Promise<void> {
  const node = process.execPath;
  await makeImage(engine, 'docker.io/library/node:24-trixie-slim', image => {
    for (const program of TOOLS) image.addProgram(program);
    image.addProgram(node, '/usr/bin/node');
    const npm = npmFolder();
    image.copy(npm, '/usr/lib/node_modules/npm');
    for (const name of ['npm', 'npx']) image.link(`../lib/node_modules/npm/bin/${name}-cli.js`, `/usr/bin/${name}`);
    // npm in the image reaches the registry as npm of this machine does.
    image.copy(npmSetting('cafile') ?? CERTIFICATES, CERTIFICATES);
    image.write('/usr/etc/npmrc', `registry=${npmSetting('registry')}\ncafile=${CERTIFICATES}\n`);
  });
  await makeImage(engine, 'gcr.io/distroless/nodejs24-debian13:nonroot', image => {
    image.addProgram(node, '/nodejs/bin/node');
  });
  await makeImage(engine, 'docker.io/library/redis:8-alpine', image => {
    image.addProgram('/bin/sh');
    image.addProgram('/usr/bin/redis-cli');
    image.addProgram('/usr/bin/redis-server', '/usr/lib/redis-server');
    // The official image lets other containers in, by a default that is compiled in.
    const script = '#!/bin/sh\nexec /usr/lib/redis-server --protected-mode no "$@"\n';
    image.write('/usr/bin/redis-server', script, 0o755);
  });
}

/** The files of an image, as a folder. */
class ImageFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    for (const name of ['/tmp', '/proc', '/dev']) mkdirSync(join(folder, name), { recursive: true });
    this.write('/etc/passwd', 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n');
  }

  /** A program with the libraries that it loads. */
  addProgram(path: string, place = path): void {
    this.copy(path, place);
    const { stdout } = spawnSync('ldd', [path], { encoding: 'utf8' });
    for (const [library] of stdout.matchAll(/\/\S+\.so\S*/g)) this.copy(library, library);
    const [, folder = ''] = /(\/\S+)\/libc\.so/.exec(stdout) ?? [];
    for (const name of LIBRARIES) this.copy(join(folder, name), join(folder, name));
  }

  copy(source: string, place: string): void {
    this.#makeParent(place);
    cpSync(realpathSync(source), join(this.#folder, place), { recursive: true, verbatimSymlinks: true });
  }

  link(target: string, place: string): void {
    this.#makeParent(place);
    symlinkSync(target, join(this.#folder, place));
  }

  write(place: string, text: string, mode = 0o644): void {
    this.#makeParent(place);
    writeFileSync(join(this.#folder, place), text, { mode });
  }

  #makeParent(place: string): void {
    mkdirSync(dirname(join(this.#folder, place)), { recursive: true });
  }
}

async function makeImage(engine: ContainerEngine, name: string, fill: (image: ImageFolder) => void): Promise<void> {
  const folder = join(engine.folder, 'base', name.replaceAll(/\W/g, '-'));
  fill(new ImageFolder(join(folder, 'files')));
  mkdirSync(join(folder, 'home'));
  const lines = ['FROM scratch', 'COPY files /', 'COPY --chown=1000:1000 home /home/node'];
  writeFileSync(join(folder, 'Dockerfile'), lines.join('\n'));
  await engine.run(`docker build --tag ${name} '${folder}'`);
}

/** Where npm of this machine is. */
function npmFolder(): string {
  return join(spawnSync('npm', ['root', '--global'], { encoding: 'utf8' }).stdout.trim(), 'npm');
}

function npmSetting(name: string): string | undefined {
  const value = spawnSync('npm', ['config', 'get', name], { encoding: 'utf8' }).stdout.trim();
  return value === 'null' || value === '' ? undefined : value;
}
