import type { Computer, SignInStep } from '@a2c-smcp/computer';
import { HttpError } from '../http/respond.ts';

interface PendingSignIn {
  step: SignInStep;
  stop: AbortController;
}

/** The sign-ins that pages have begun, by MCP server. How one ends is seen in the state of its server. */
export class SignIns {
  readonly #computer: Computer;
  readonly #pending = new Map<string, PendingSignIn>();

  constructor(computer: Computer) {
    this.#computer = computer;
  }

  /** Resolves with the address that the person has to visit. */
  begin(name: string): Promise<{ url: string }> {
    const stop = new AbortController();
    return new Promise((resolve, reject) => {
      const onUrl = (url: string, step: SignInStep) => {
        this.#pending.set(name, { step, stop });
        resolve({ url });
      };
      const forget = () => {
        if (this.#pending.get(name)?.stop === stop) this.#pending.delete(name);
      };
      this.#computer.signIn(name, { onUrl, signal: stop.signal }).catch(reject).finally(forget);
    });
  }

  /** Takes the address at which the browser ended, for one that runs on another machine. */
  paste(name: string, address: string): void {
    this.#find(name).step.paste(address);
  }

  cancel(name: string): void {
    this.#find(name).stop.abort(new Error('The sign-in was cancelled'));
  }

  #find(name: string): PendingSignIn {
    const found = this.#pending.get(name);
    if (!found) throw new HttpError(409, `No sign-in to MCP server '${name}' is pending: begin another`);
    return found;
  }
}
