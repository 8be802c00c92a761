import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const PAGE_BYTES = 4096;

/**
 * The resident bytes of all processes of each MCP server, by name. Servers that are not processes are left out, and all are
 * on Windows, which has no process groups.
 */
export async function memoryOf(servers: readonly { name: string; pid?: number }[]): Promise<Map<string, number>> {
  const rows = process.platform === 'linux' ? await fromProc() : await fromPs();
  const bytes = new Map<number, number>();
  for (const [group, size] of rows) bytes.set(group, (bytes.get(group) ?? 0) + size);
  const sizes = servers.map(({ name, pid = 0 }): [string, number] => [name, pid === 0 ? 0 : (bytes.get(pid) ?? 0)]);
  return new Map(sizes.filter(([, size]) => size > 0));
}

async function fromProc(): Promise<[number, number][]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const rows = pids.map(async (pid): Promise<[number, number]> => {
    // A process may end between the two reads.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // After the name, which may contain anything: state, parent, group, and resident pages in field 24.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [Number(fields[2] ?? 0), Number(fields[21] ?? 0) * PAGE_BYTES];
  });
  return Promise.all(rows);
}

async function fromPs(): Promise<[number, number][]> {
  if (process.platform === 'win32') return [];
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pgid=,rss=']);
  return stdout.split('\n').map(line => {
    const [group = 0, kibibytes = 0] = line.trim().split(/\s+/).map(Number);
    return [group, kibibytes * 1024];
  });
}
