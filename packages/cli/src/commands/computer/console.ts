import type { ListeningConsole, OwnerDesk } from '@a2c-smcp/console/owner';
import type { Logger } from '@a2c-smcp/core';
import { fieldsOf } from '@a2c-smcp/core';
import type { OptionSpecs } from '../../command.ts';
import { readNumber } from '../../options.ts';
import { checkText, readText, replaceText } from '../config/edit.ts';
import type { ComputerSession } from './session.ts';

/** The port when none is given, and how many after it are tried. */
const DEFAULT_PORT = 7300;
const MAX_PORT_ATTEMPTS = 20;

export const consoleOption = {
  console: {
    type: 'string',
    value: 'PORT',
    implied: String(DEFAULT_PORT),
    env: 'A2C_CONSOLE',
    summary: `Show this Computer in a browser, at ${DEFAULT_PORT} or the next free port; 0 takes any`,
  },
} as const satisfies OptionSpecs;

/** The port that was asked for; undefined when the console was not. */
export function consolePortOf(given: string | undefined): number | undefined {
  return given === undefined ? undefined : readNumber('--console', given, { min: 0, max: 65_535 });
}

export interface ConsoleOptions {
  /** @default 7300, or the next free one */
  port?: number | undefined;
  auditFile: string | undefined;
  logger: Logger;
}

/** Opens the console of a session. Returns an address for one browser. */
export async function openConsole(session: ComputerSession, options: ConsoleOptions): Promise<string> {
  const { configFile } = session;
  const desk: OwnerDesk = {
    computer: session.computer,
    serverUrl: () => session.url,
    configFile,
    auditFile: options.auditFile,
    configuration: configFile === undefined ? undefined : configurationOf(configFile),
    addServer: config => session.addServer(config),
    removeServer: name => session.removeServer(name),
    isSaved: name => session.isSaved(name),
    ...(configFile === undefined ? {} : { setAutoApply: (tool, value) => session.approve(tool, value) }),
  };
  session.console ??= await listenNear(desk, options);
  return session.console.issueAddress();
}

/** A console at the port, or at the next free one if it is the default. */
export async function listenNear(
  desk: OwnerDesk,
  { port = DEFAULT_PORT, logger }: Pick<ConsoleOptions, 'port' | 'logger'>,
): Promise<ListeningConsole> {
  const { openOwnerConsole } = await import('@a2c-smcp/console/owner');
  for (let candidate = port; ; candidate++) {
    try {
      return await openOwnerConsole({ ...desk, port: candidate, logger });
    } catch (error) {
      const isTaken = fieldsOf(error).code === 'EADDRINUSE';
      if (!isTaken || port !== DEFAULT_PORT || candidate >= port + MAX_PORT_ATTEMPTS) throw error;
    }
  }
}

function configurationOf(file: string): NonNullable<OwnerDesk['configuration']> {
  return {
    read: async () => ({ path: file, ...(await readText(file)) }),
    check: async text => checkText(file, text),
    write: (text, sum) => replaceText(file, text, sum),
  };
}
