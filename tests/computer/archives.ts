import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

export interface TarEntry {
  path: string;
  content?: string | Buffer;
  /** '0' file, '5' folder, '2' symbolic link, '1' hard link. @default '0' */
  type?: string;
  mode?: string;
  link?: string;
}

/** A tar file, gzipped, with exactly these members, odd ones included. */
export function tarGz(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, content = '', type = '0', mode = '0000644', link = '' }) => {
    const body = Buffer.from(content);
    const long = Buffer.byteLength(path) > 100;
    const pax = long ? paxRecord(path) : Buffer.alloc(0);
    return [
      ...(long ? [header({ path: 'pax', type: 'x', mode, link: '', size: pax.length }), padded(pax)] : []),
      header({ path: long ? path.slice(0, 100) : path, type, mode, link, size: body.length }),
      padded(body),
    ];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

interface Header {
  path: string;
  type: string;
  mode: string;
  link: string;
  size: number;
}

function header({ path, type, mode, link, size }: Header): Buffer {
  const block = Buffer.alloc(512);
  block.write(path, 0, 100);
  block.write(mode, 100);
  block.write(size.toString(8).padStart(11, '0'), 124);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  block.write(link, 157);
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** `length key=value`, where the length counts its own digits. */
function paxRecord(path: string): Buffer {
  const rest = ` path=${path}\n`;
  const length = Buffer.byteLength(rest) + String(Buffer.byteLength(rest) + 3).length;
  return Buffer.from(`${length}${rest}`);
}

function padded(body: Buffer): Buffer {
  return Buffer.concat([body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

/** Serves an archive over HTTP; `/moved` redirects to it. */
export async function serveOverHttp(
  bytes: Buffer,
  use: (url: string, asked: readonly string[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/moved') response.writeHead(302, { location: '/skill.tar.gz' }).end();
    else response.end(bytes);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  await use(`http://127.0.0.1:${port}/skill.tar.gz`, asked);
}
