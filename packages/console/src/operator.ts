import type { IncomingMessage } from 'node:http';
import type { Logger } from '@a2c-smcp/core';
import { type ConsoleHandler, type ConsoleHandlerOptions, consoleHandler } from './http/handler.ts';
import { Sessions } from './http/sessions.ts';
import { Site } from './http/site.ts';

export interface OperatorConsoleOptions {
  /** The pages. @default those that were built */
  files?: Site;
  /** @default silent */
  logger?: Logger;
}

/** The operator API of a Server, which answers by itself for programs. */
type OperatorApi = Pick<ConsoleHandlerOptions, 'api' | 'events'> & {
  authorize(request: IncomingMessage): boolean;
};

export interface OperatorConsole {
  /** The option `console` of `SmcpServer.listen`. */
  console: (api: OperatorApi) => ConsoleHandler;
  /**
   * Opens the console under these origins, the first for addresses, as in `http://127.0.0.1:7000`. Until then all its
   * requests are refused.
   */
  open(origins: readonly string[]): void;
  /** An address that opens the console in one browser. */
  issueAddress(): string;
}

/** The path of the pages, on the port of the Server. */
const BASE = '/console/';

/** The console of a Server for its operators. Its address can also be asked for with the key of an operator. */
export function operatorConsole({ files = Site.load(), logger }: OperatorConsoleOptions = {}): OperatorConsole {
  const sessions = new Sessions();
  let open: readonly string[] = [];
  const issueAddress = () => `${open[0] ?? ''}${BASE}#token=${sessions.issue()}`;
  const origins = () => open;
  return {
    issueAddress,
    open(given) {
      open = given;
    },
    console({ api, events, authorize }) {
      const handle = consoleHandler({
        ...{ files, sessions, origins, events, authorize, base: BASE },
        ...(logger ? { logger } : {}),
        api(request) {
          const isAddress = request.path === '/console/address' && request.method === 'POST';
          return isAddress ? { address: issueAddress() } : api(request);
        },
      });
      return (request, response) => {
        if (request.url !== '/') return handle(request, response);
        response.writeHead(307, { location: BASE, 'cache-control': 'no-store' }).end();
        return true;
      };
    },
  };
}
