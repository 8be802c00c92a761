import { type Logger, silentLogger } from '@a2c-smcp/core';
import { type ListeningConsole, listenForConsole } from './http/listen.ts';
import type { Site } from './http/site.ts';
import { CONSOLE_FACE, ownerApi } from './owner/api.ts';
import type { OwnerDesk } from './owner/desk.ts';
import { OwnerFeed } from './owner/feed.ts';

export type { ListeningConsole } from './http/listen.ts';
export { CONSOLE_FACE } from './owner/api.ts';
export type { ConfigurationFile, OwnerDesk } from './owner/desk.ts';
export type { ConfigText } from './owner/types.ts';

export interface OwnerConsoleOptions extends OwnerDesk {
  /** 0 takes any free one. @default 0 */
  port?: number;
  /** The pages. @default those that were built */
  files?: Site;
  /** @default silent */
  logger?: Logger;
}

/**
 * Opens the console of a Computer for its owner, at a port of this machine. Its page answers questions as the face
 * `console`; give the Computer `faces: [{ name: CONSOLE_FACE }]` if it shall ask while it starts, too.
 */
export async function openOwnerConsole(options: OwnerConsoleOptions): Promise<ListeningConsole> {
  const { port, files, logger = silentLogger, ...desk } = options;
  const feed = new OwnerFeed(desk, error => logger.error('A change could not be shown in the console', { error }));
  const leave = desk.computer.questions.attend({ name: CONSOLE_FACE });
  const end = () => {
    leave();
    feed.close();
  };
  try {
    const api = ownerApi(desk, feed);
    const console = await listenForConsole({ api, events: feed.events, port, logger, ...(files ? { files } : {}) });
    const close = async () => {
      end();
      await console.close();
    };
    return { ...console, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    end();
    throw error;
  }
}
