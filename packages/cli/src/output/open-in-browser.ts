import { spawn } from 'node:child_process';

/** How long the opener may take to fail. */
const START_MS = 500;

/** Opens an address in the browser of this machine. False if there is none. */
export function openInBrowser(url: string): Promise<boolean> {
  const [command, args] = openerOf(url);
  return new Promise(resolve => {
    const opener = spawn(command, args, { stdio: 'ignore', detached: true });
    opener.once('error', () => resolve(false));
    opener.once('exit', code => resolve(code === 0));
    opener.unref();
    setTimeout(() => resolve(true), START_MS).unref();
  });
}

function openerOf(url: string): [command: string, args: string[]] {
  if (process.platform === 'darwin') return ['open', [url]];
  // No shell: an address may have characters that mean something to one.
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]];
  return ['xdg-open', [url]];
}
