import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { root } from '../packages.ts';

/** Milliseconds until all containers are gone. */
const REMOVAL_MS = 60_000;
const run = promisify(execFile);
const works = (program: string) => spawnSync(program, ['--version']).status === 0;

/** Why no containers can run here; undefined if they can. `.ci/run` installs the programs. */
export function reasonForNoContainers(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'containers are tested as root on Linux';
  const missing = ['podman', 'runc', 'catatonit', 'podman-compose', 'redis-server'].filter(name => !works(name));
  return missing.length > 0 ? `no ${missing.join(', ')}` : undefined;
}

/** Podman takes the commands of Docker and needs no daemon. */
const DOCKER = `#!/bin/sh
if [ "$1" = compose ]; then
  shift
  exec podman-compose "$@"
fi
exec podman "$@"
`;

/** Without systemd, and with limits that a process of the test may set. */
const settingsOf = (folder: string) => `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
log_driver = "k8s-file"

[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"

[network]
network_backend = "netavark"
network_config_dir = "${folder}/networks"
`;

const storageOf = (folder: string) => `[storage]
driver = "overlay"
graphroot = "${folder}/images"
runroot = "${folder}/run"
`;

/** A container engine with images, containers and networks of its own, whose command is `docker`. */
export class ContainerEngine implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'a2c-containers-'));
  readonly #env: NodeJS.ProcessEnv;

  constructor() {
    const write = (name: string, text: string) => {
      writeFileSync(join(this.folder, name), text);
      return join(this.folder, name);
    };
    mkdirSync(join(this.folder, 'bin'));
    chmodSync(write('bin/docker', DOCKER), 0o755);
    this.#env = {
      ...process.env,
      PATH: `${join(this.folder, 'bin')}:${process.env.PATH}`,
      CONTAINERS_CONF: write('containers.conf', settingsOf(this.folder)),
      CONTAINERS_STORAGE_CONF: write('storage.conf', storageOf(this.folder)),
      // With health checks, which the other format has not.
      BUILDAH_FORMAT: 'docker',
    };
  }

  /** Runs a shell command in the repository to its end. Resolves with its output. */
  async run(command: string): Promise<string> {
    return (await run('sh', ['-c', command], { cwd: root, env: this.#env, maxBuffer: 64 * 1024 ** 2 })).stdout;
  }

  /** Runs the health checks of all containers once, as a timer of systemd or Docker does. */
  async checkHealth(): Promise<void> {
    const names = (await this.run("docker ps --format '{{.Names}}'")).split('\n').filter(Boolean);
    for (const name of names) await this.run(`docker healthcheck run ${name}`).catch(() => '');
  }

  /** Starts a shell command in the repository that ends with the returned object. */
  start(command: string, env: Record<string, string>): AsyncDisposable & { readonly output: string } {
    let output = '';
    const options = { cwd: root, env: { ...this.#env, ...env }, detached: true } as const;
    const child = spawn('sh', ['-c', command], options);
    const ended = once(child, 'exit');
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', text => {
        output += text;
      });
    }
    return {
      get output() {
        return output;
      },
      async [Symbol.asyncDispose]() {
        if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGINT');
        await ended;
      },
    };
  }

  /** Deletes everything. Podman leaves the folder of the layers mounted. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (reasonForNoContainers() === undefined) await this.#removeContainers();
    await this.run(`umount '${this.folder}/images/overlay' 2>/dev/null; rm -rf '${this.folder}'`);
  }

  /** A compose command that was interrupted may still be starting one. */
  async #removeContainers(): Promise<void> {
    await eventually(async () => {
      await this.run('docker pod rm --all --force; docker rm --all --force --depend --time 1').catch(() => '');
      expect(await this.run('docker ps --all --quiet')).toBe('');
    }, REMOVAL_MS);
    await this.run('docker network prune --force');
  }
}
