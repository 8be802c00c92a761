import { createInterface } from 'node:readline';
import type { McpServerStatus, SignInOptions, SignInStep } from '@a2c-smcp/computer';
import type { World } from '../../../command.ts';
import { openInBrowser } from '../../../output/open-in-browser.ts';
import { showProgress } from '../../../output/progress.ts';
import { briefLine, safeText } from '../../../output/table.ts';

export interface WalkThroughOptions {
  server: string;
  /** True to open a browser of this machine. */
  opensBrowser: boolean;
  /** True to ask for a code to type on any device. */
  device: boolean;
  signal: AbortSignal;
}

/** Signs in to an MCP server, here or in another process. */
export type BeginSignIn = (options: SignInOptions) => Promise<McpServerStatus>;

/**
 * Leads a person through a sign-in: opens the page or shows its address, takes the address that the browser returned to if
 * it is on another machine, and shows that it waits.
 */
export async function walkThrough(
  begin: BeginSignIn,
  options: WalkThroughOptions,
  world: World,
): Promise<McpServerStatus> {
  const { server, opensBrowser, device } = options;
  const { note, style, terminal } = world;
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  const onUrl = (url: string, step: SignInStep) => {
    // A failure here must not end the sign-in: its address is on the screen.
    const show = async () => {
      const isOpen = step.userCode === undefined && opensBrowser && (await openInBrowser(url));
      for (const line of describe(url, step, isOpen)) note(line);
      if (isOpen || step.userCode !== undefined)
        progress = showProgress(terminal, 'Waiting for the sign-in; Ctrl-C cancels');
      else await takeAddress(step, world, signal);
    };
    show().catch(error => note(style.yellow(briefLine(String(error), 200))));
  };
  let progress: Disposable | undefined;
  const describe = (url: string, step: SignInStep, isOpen: boolean) =>
    instructions(server, url, step, isOpen).map(style.dim);
  try {
    return await begin({ onUrl, device, signal: options.signal });
  } finally {
    over.abort();
    progress?.[Symbol.dispose]();
  }
}

/** The lines that a person follows. The address is whole, since it is copied. */
function instructions(
  server: string,
  url: string,
  { userCode, redirectUri = '' }: SignInStep,
  isOpen: boolean,
): string[] {
  const name = briefLine(server, 48);
  const address = ['', `  ${safeText(url)}`, ''];
  if (userCode !== undefined) {
    const code = `  ${safeText(userCode)}`;
    return [`To sign in to '${name}', visit this address on any device and type the code:`, ...address, code, ''];
  }
  if (isOpen) return [`The page to sign in to '${name}' opens in the browser. If it does not, visit:`, ...address];
  const { port } = new URL(redirectUri);
  return [
    `To sign in to '${name}', visit this address:`,
    ...address,
    `A browser on another machine ends at an address on port ${port} that it cannot show. Copy it from the address bar to here,`,
    `or forward the port first, with: ssh -L ${port}:127.0.0.1:${port} THIS-MACHINE`,
  ];
}

/** Takes the address from the keyboard, or from standard input without one. */
async function takeAddress(
  { paste }: SignInStep,
  { terminal, streams, note, style }: World,
  signal: AbortSignal,
): Promise<void> {
  const isTaken = (line: string): boolean => {
    try {
      paste(line);
      return true;
    } catch (error) {
      note(style.yellow(briefLine(error instanceof Error ? error.message : String(error), 200)));
      return false;
    }
  };
  if (terminal) {
    for (;;) {
      const line = await terminal.ask('Address that the browser returned to: ', { signal });
      if (line === undefined || (line.trim() !== '' && isTaken(line))) return;
    }
  }
  const lines = createInterface({ input: streams.input, signal });
  for await (const line of lines) if (line.trim() !== '' && isTaken(line)) break;
  lines.close();
}

/** True if this machine has no screen for a browser: over SSH, or on Linux without a display. */
export function isHeadless(env: Record<string, string | undefined>, platform = process.platform): boolean {
  if (env.SSH_CONNECTION || env.SSH_TTY) return true;
  return platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY;
}
