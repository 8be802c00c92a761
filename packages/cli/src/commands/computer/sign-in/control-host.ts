import type { Server } from 'node:net';
import { claimPath, MessageSocket } from '@a2c-smcp/bridge/sockets';
import type { Computer, SignInStep } from '@a2c-smcp/computer';
import type { Json } from '@a2c-smcp/core';
import { explainFailure } from '../../../failure.ts';
import { CONTROL_PROTOCOL, controlPath } from './control-path.ts';

/** Lets commands of the same user sign this Computer in and out, through a socket in a folder that only the user can enter. */
export class ControlHost implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<MessageSocket>();

  private constructor(server: Server, computer: Computer) {
    this.#server = server;
    server.on('connection', raw => {
      const cancelled = new AbortController();
      let step: SignInStep | undefined;
      const socket = new MessageSocket(raw, message => {
        if (message.type === 'paste') this.#paste(socket, step, message);
        else if (message.type === 'sign-in' || message.type === 'sign-out') {
          const onUrl = (url: string, given: SignInStep) => {
            step = given;
            const { userCode, redirectUri } = given;
            socket.send({ type: 'url', url, userCode, redirectUri });
          };
          void this.#answer(socket, message, () =>
            message.type === 'sign-out'
              ? computer.signOut(String(message.server))
              : computer.signIn(String(message.server), {
                  onUrl,
                  device: message.device === true,
                  signal: cancelled.signal,
                }),
          );
        } else socket.destroy();
      });
      raw.unref();
      this.#sockets.add(socket);
      socket.onClose(() => {
        this.#sockets.delete(socket);
        cancelled.abort(new Error('The sign-in was cancelled'));
      });
      socket.send({ type: 'hello', protocol: CONTROL_PROTOCOL });
    });
    // A connection that could not be accepted is the other side's to repeat.
    server.on('error', () => {});
    server.unref();
  }

  /** Undefined where there is no place for the socket, or another Computer has it. */
  static async open(
    computer: Computer,
    configFile: string | undefined,
    env: NodeJS.ProcessEnv,
  ): Promise<ControlHost | undefined> {
    const path = await controlPath(configFile, computer.name, env);
    if (path === undefined) return undefined;
    try {
      const claim = await claimPath(path, AbortSignal.timeout(2000));
      if ('server' in claim) return new ControlHost(claim.server, computer);
      claim.socket.destroy();
      return undefined;
    } catch {
      // Signing in beside it is a convenience, which a folder that is full or read-only does not have.
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise(resolve => this.#server.close(resolve));
  }

  #paste(socket: MessageSocket, step: SignInStep | undefined, { address }: Json): void {
    try {
      step?.paste(String(address));
    } catch (error) {
      socket.send({ type: 'not-pasted', message: explainFailure(error).message });
    }
  }

  async #answer(socket: MessageSocket, { type }: Json, act: () => Promise<object>): Promise<void> {
    try {
      socket.send({ type: 'done', status: await act() });
    } catch (error) {
      socket.send({ type: 'failed', of: type, message: explainFailure(error).message });
    }
  }
}
