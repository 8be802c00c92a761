import type { World } from '../../command.ts';
import type { Connection } from '../../options.ts';
import { shownUrl } from '../../output/url.ts';
import { mayPass, probeServer } from './reach-server.ts';
import type { ComputerSession } from './session.ts';

export interface EntranceOptions {
  url: string;
  connection: Connection;
  /** True to retry while no Server answers. */
  isPatient: boolean;
  /** Called once, when it has to wait. */
  onWait: (error: Error) => void;
}

/** The way of a Computer into its office at the start. */
export class Entrance {
  readonly #options: EntranceOptions;
  readonly #world: World;
  #isTold = false;

  constructor(options: EntranceOptions, world: World) {
    this.#options = options;
    this.#world = world;
  }

  /** Looks for the Server before MCP servers take their time to start. */
  async check(): Promise<void> {
    const { url, isPatient } = this.#options;
    try {
      await probeServer(url, this.#world.signal);
    } catch (error) {
      if (!isPatient || !mayPass(error)) throw error;
      this.#tell(error as Error);
    }
  }

  /**
   * Joins the office. Resolves when joined or, if there is a shell to use meanwhile, when it has to wait for the Server;
   * `onFailure` then gets the error that ends the attempts.
   */
  enter(session: ComputerSession, signal: AbortSignal, onFailure: (error: Error) => void): Promise<void> {
    const { url, connection, isPatient } = this.#options;
    const { terminal, print } = this.#world;
    const done = () =>
      print(`Computer '${session.computer.name}' is in office '${connection.office}' of ${shownUrl(url)}`);
    if (!isPatient) return session.join(url, connection, signal).then(done);
    return new Promise((resolve, reject) => {
      const onWait = (error: Error) => {
        this.#tell(error);
        if (terminal) resolve();
      };
      const fail = (error: Error) => {
        // Ended by a person or a supervisor.
        if (signal.aborted) return resolve();
        reject(error);
        onFailure(error);
      };
      session
        .joinPatiently(url, connection, { signal, onWait })
        .then(isJoined => isJoined && done())
        .then(() => resolve(), fail);
    });
  }

  #tell(error: Error): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#options.onWait(error);
  }
}
