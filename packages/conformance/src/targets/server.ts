import { handshake, isWithoutHandshake, newestVersionOf } from '../checks/server/handshake.ts';
import { notifications } from '../checks/server/notifications.ts';
import { offices } from '../checks/server/offices.ts';
import { routing } from '../checks/server/routing.ts';
import { type Line, lineOf } from '../line.ts';
import { type PlayOptions, play, type Result } from '../play.ts';
import { ServerStage, type ServerTarget } from '../stages/server-stage.ts';

export interface ServerOptions extends PlayOptions {
  /** An API key, sent as the header `x-api-key` and as `auth.token`. */
  key?: string | undefined;
  /** The beginning of the names of the offices that are used. @default 'conformance' */
  office?: string;
  /** The protocol version of the kit. @default the newest line of the Server, and 0.1 if it knows no version handshake */
  line?: Line | undefined;
}

export const serverChecks = [handshake, offices, notifications, routing];

/** Checks run side by side, each in offices of its own; a Server may limit the connections of one address. */
const CONCURRENCY = 6;

/** Plays the rules for Servers against one that listens at `url`. */
export async function playServer(url: string, options: ServerOptions = {}): Promise<Result[]> {
  const { key, office = 'conformance', line, ...rest } = options;
  const target: ServerTarget = { url: url.replace(/\/+$/, ''), key, office, line: line ?? '0.1' };
  // Also tells whether there is a Server at all.
  const found = await findLine(target).catch((cause: Error) => {
    throw new Error(`No Server answers at '${url}': ${cause.message || cause.name}`, { cause });
  });
  target.line = line ?? found;
  return play(serverChecks, {
    ...rest,
    line: target.line,
    concurrency: CONCURRENCY,
    open: () => new ServerStage(target),
    close: stage => stage.close(),
  });
}

async function findLine(target: ServerTarget): Promise<Line> {
  return (await isWithoutHandshake(target)) ? '0.1' : lineOf(await newestVersionOf(target));
}
