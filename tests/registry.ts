import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { shipped } from './installed.ts';
import { root } from './packages.ts';

const run = promisify(execFile);

export interface Registry extends AsyncDisposable {
  url: string;
}

/** A registry of npm that has our packages as `npm pack` makes them, and leads to the configured one for all others. */
export async function openRegistry(): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-registry-'));
  const upstream = (await run('npm', ['config', 'get', 'registry'])).stdout.trim().replace(/\/$/, '');
  const workspaces = shipped.flatMap(({ folder: name }) => ['--workspace', `packages/${name}`]);
  const { stdout } = await run('npm', ['pack', ...workspaces, '--json', '--pack-destination', folder], { cwd: root });
  const packed = Object.values<{ name: string; filename: string }>(JSON.parse(stdout));
  const files = new Map(packed.map(({ name, filename }) => [name, join(folder, filename)]));
  const server = createServer(({ url = '/' }, response) => {
    const path = decodeURIComponent(url.slice(1));
    const tarball = files.get(path.replace(/\/-\/tarball$/, ''));
    if (tarball === undefined) response.writeHead(302, { location: `${upstream}${url}` }).end();
    else if (path.endsWith('/-/tarball')) response.end(readFileSync(tarball));
    else response.end(JSON.stringify(describe(path, tarball)));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function describe(name: string, tarball: string) {
    const manifest = shipped.find(({ manifest: { name: own } }) => own === name)?.manifest;
    const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
    const dist = { tarball: `${address}/${encodeURIComponent(name)}/-/tarball`, integrity };
    const version = String(manifest?.version);
    return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
  }

  return {
    url: address,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
