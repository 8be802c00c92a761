import type { ListeningConsole, OwnerDesk } from '@a2c-smcp/console/owner';
import type { Logger } from '@a2c-smcp/core';
import type { OptionSpecs } from '../../command.ts';
import { readNumber } from '../../options.ts';
import { checkText, readText, replaceText } from '../config/edit.ts';
import { listenNear } from '../near-port.ts';
import type { ComputerSession } from './session.ts';

/** The port when none is given. */
const DEFAULT_PORT = 7300;

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

/** Opens the console of a session, if it is not open. Returns an address for one browser. */
export async function openConsole(session: ComputerSession, port?: number): Promise<string> {
  const { computer, configFile, auditFile, logger } = session;
  const desk: OwnerDesk = {
    computer,
    serverUrl: () => session.url,
    configFile,
    auditFile,
    configuration: configFile === undefined ? undefined : configurationOf(configFile),
    addServer: config => session.addServer(config),
    removeServer: name => session.removeServer(name),
    isSaved: name => session.isSaved(name),
    ...(configFile === undefined ? {} : { setAutoApply: (tool, value) => session.approve(tool, value) }),
  };
  session.console ??= await listenForOwner(desk, { port, logger });
  return session.console.issueAddress();
}

/** A console at a port of its own; without one at 7300, or the next that is free. */
export async function listenForOwner(
  desk: OwnerDesk,
  { port, logger }: { port?: number | undefined; logger: Logger },
): Promise<ListeningConsole> {
  const { openOwnerConsole } = await import('@a2c-smcp/console/owner');
  const listen = (candidate: number) => openOwnerConsole({ ...desk, port: candidate, logger });
  return port === undefined || port === DEFAULT_PORT ? listenNear(DEFAULT_PORT, listen) : listen(port);
}

function configurationOf(file: string): NonNullable<OwnerDesk['configuration']> {
  return {
    read: async () => ({ path: file, ...(await readText(file)) }),
    check: async text => checkText(file, text),
    write: (text, sum) => replaceText(file, text, sum),
  };
}
