import type { Socket } from 'node:net';
import { connectTo, MessageSocket } from '@a2c-smcp/bridge/sockets';
import type { McpServerStatus, SignInOptions } from '@a2c-smcp/computer';
import { type Json, settle } from '@a2c-smcp/core';
import { UsageError } from '../../../command.ts';
import { CONTROL_PROTOCOL, controlPath, controlPaths } from './control-path.ts';

/** Milliseconds that a running Computer may take to greet. */
const HELLO_TIMEOUT_MS = 5000;

/** A Computer of this user that runs in another process. */
export class RunningComputer {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Finds the Computer that uses a configuration. Undefined if none does. */
  static async find(
    configFile: string | undefined,
    name: string | undefined,
    env: NodeJS.ProcessEnv,
  ): Promise<RunningComputer | undefined> {
    const own = name === undefined ? undefined : await controlPath(configFile, name, env);
    const paths = name === undefined ? await controlPaths(configFile, env) : own === undefined ? [] : [own];
    const sockets = (await Promise.all(paths.map(connectTo))).filter(socket => socket !== undefined);
    const [socket, ...others] = sockets;
    if (others.length > 0) {
      for (const each of sockets) each.destroy();
      throw new UsageError('Several Computers use this configuration: name one with --name');
    }
    return socket && new RunningComputer(socket);
  }

  signIn(server: string, { onUrl, device, signal }: SignInOptions): Promise<McpServerStatus> {
    return this.#request({ type: 'sign-in', server, device }, signal, (message, socket) => {
      const { url, userCode, redirectUri } = message as { url: string; userCode?: string; redirectUri?: string };
      onUrl(url, {
        userCode,
        redirectUri,
        paste: address => {
          // Its own checks are the same, but an answer would come too late to throw it here.
          if (redirectUri === undefined || !isReturn(address, url, redirectUri)) {
            throw new TypeError(`That is not the address of this sign-in: it starts with ${redirectUri}?`);
          }
          socket.send({ type: 'paste', address });
        },
      });
    });
  }

  signOut(server: string): Promise<McpServerStatus> {
    return this.#request({ type: 'sign-out', server });
  }

  /** One request, whose end closes the connection. That cancels it, too. */
  async #request(
    request: Json,
    signal?: AbortSignal,
    onUrl: (message: Json, socket: MessageSocket) => void = () => {},
  ): Promise<McpServerStatus> {
    const raw = this.#socket;
    try {
      return await settle<McpServerStatus>(
        (resolve, reject) => {
          const lost = setTimeout(() => reject(new Error('The running Computer does not answer')), HELLO_TIMEOUT_MS);
          const socket = new MessageSocket(raw, message => {
            clearTimeout(lost);
            if (message.type === 'hello' && message.protocol === CONTROL_PROTOCOL) socket.send(request);
            else if (message.type === 'hello')
              reject(new Error('The running Computer is of another version: restart it'));
            else if (message.type === 'url') onUrl(message, socket);
            else if (message.type === 'done') resolve(message.status as McpServerStatus);
            else reject(new Error(String(message.message)));
          });
          socket.onClose(() => reject(new Error('The running Computer has ended')));
          return () => clearTimeout(lost);
        },
        { signal },
      );
    } finally {
      raw.destroy();
    }
  }
}

/** True if an address is where the browser of a sign-in returned to. */
function isReturn(address: string, url: string, redirectUri: string): boolean {
  const text = address.trim();
  const stateOf = (each: string) => new URL(each).searchParams.get('state');
  return text.startsWith(`${redirectUri}?`) && stateOf(text) === stateOf(url);
}
