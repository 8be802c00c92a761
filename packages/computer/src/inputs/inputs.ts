import {
  type CompleteMCPServerConfig,
  ConfigError,
  type Logger,
  type MCPServerCommandInput,
  type MCPServerInput,
} from '@a2c-smcp/protocol';
import { interruptible } from '../interruptible.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { type InputContext, inputEnvNames } from './env-names.ts';
import { fillPlaceholders } from './placeholders.ts';
import type { InputStore } from './store.ts';

/** An input that a person can be asked for. */
export type AskableInput = Exclude<MCPServerInput, MCPServerCommandInput>;

/** Asks a person for a value. Undefined means that there is no answer, and the default is taken. */
export type Ask = (input: AskableInput, options: { signal: AbortSignal }) => Promise<string | undefined>;

export interface InputsOptions {
  definitions: readonly MCPServerInput[];
  env: Record<string, string | undefined>;
  store: InputStore;
  ask?: Ask | undefined;
  /** Runs the command of a `command` input and gives its output. */
  run: (input: MCPServerCommandInput, signal: AbortSignal) => Promise<string>;
  secrets: Secrets;
  logger: Logger;
  /** Fires when no value is wanted any more. A server that gives up alone does not fire it: others may wait too. */
  signal: AbortSignal;
}

/** The values behind `${input:id}`: environment, then stored, then asked for, then the default. */
export class Inputs {
  readonly #options: InputsOptions;
  #definitions: readonly MCPServerInput[];
  /** One resolution per input and session, so that a person is asked once however many servers need it. */
  readonly #values = new Map<string, Promise<string | undefined>>();

  constructor(options: InputsOptions) {
    this.#options = options;
    this.#definitions = options.definitions;
  }

  get definitions(): readonly MCPServerInput[] {
    return this.#definitions;
  }

  /** Replaces the definitions. Values of inputs that are defined as before are kept. */
  define(definitions: readonly MCPServerInput[]): void {
    for (const { id, ...before } of this.#definitions) {
      const now = definitions.find(input => input.id === id);
      if (JSON.stringify({ id, ...before }) !== JSON.stringify(now)) this.#values.delete(id);
    }
    this.#definitions = definitions;
  }

  /** Gives an input a value, for this session and in the store. */
  async set(id: string, value: string): Promise<void> {
    this.#options.secrets.add([value]);
    this.#values.set(id, Promise.resolve(value));
    await this.#options.store.set(id, value);
  }

  /** Forgets the value of an input, or of all. The next server that needs it finds or asks for it anew. */
  async clear(id?: string): Promise<void> {
    const ids = id === undefined ? this.#definitions.map(input => input.id) : [id];
    for (const each of ids) {
      this.#values.delete(each);
      await this.#options.store.delete(each);
    }
  }

  /** The configuration with values in the place of placeholders. Only inputs it refers to are resolved. */
  async fill(config: CompleteMCPServerConfig, signal: AbortSignal): Promise<CompleteMCPServerConfig> {
    const context = { server: config.name };
    const server_parameters = await fillPlaceholders(config.server_parameters, ({ kind, name }) =>
      kind === 'env' ? this.#environment(name) : this.#value(name, context, signal),
    );
    // The type and its parameters still belong together, which the compiler loses sight of.
    return { ...config, server_parameters } as CompleteMCPServerConfig;
  }

  async #environment(name: string): Promise<string> {
    const value = this.#options.env[name];
    if (value === undefined) throw new ConfigError('server_parameters', `the environment has no variable '${name}'`);
    this.#options.secrets.add([value]);
    return value;
  }

  async #value(id: string, context: InputContext, signal: AbortSignal): Promise<string | undefined> {
    const { env, secrets, logger } = this.#options;
    const input = this.#definitions.find(definition => definition.id === id);
    if (!input) {
      logger.warn('A placeholder names an unknown input', { input: id, mcp_server: context.server });
      return undefined;
    }
    const variable = inputEnvNames(id, context).find(name => env[name] !== undefined);
    const value = variable === undefined ? await interruptible(this.#resolve(input), signal) : env[variable];
    if (value === undefined) throw missing(id, context);
    secrets.add([value]);
    return value;
  }

  #resolve(input: MCPServerInput): Promise<string | undefined> {
    const known = this.#values.get(input.id);
    if (known) return known;
    const value = this.#find(input);
    this.#values.set(input.id, value);
    const forget = () => this.#values.get(input.id) === value && this.#values.delete(input.id);
    value.then(found => {
      if (found === undefined) forget();
    }, forget);
    return value;
  }

  async #find(input: MCPServerInput): Promise<string | undefined> {
    if (input.type === 'command') return this.#options.run(input, this.#options.signal);
    const stored = await this.#stored(input.id);
    if (stored !== undefined) return stored;
    const answer = await this.#ask(input);
    if (answer === undefined) return input.default ?? undefined;
    await this.#keep(input.id, answer);
    return answer;
  }

  async #ask(input: AskableInput): Promise<string | undefined> {
    const { ask, signal } = this.#options;
    let answer: string | undefined;
    try {
      answer = await ask?.(input, { signal });
    } catch (cause) {
      throw new ConfigError(`inputs.${input.id}`, 'asking for it failed', { cause });
    }
    if (answer !== undefined && input.type === 'pickString' && !input.options.includes(answer)) {
      throw new ConfigError(`inputs.${input.id}`, 'the answer is none of its options');
    }
    return answer;
  }

  /** A store that is out of order costs a question, not the server. */
  async #stored(id: string): Promise<string | undefined> {
    try {
      return await this.#options.store.get(id);
    } catch (error) {
      this.#options.logger.warn('Stored inputs cannot be read', { input: id, error });
      return undefined;
    }
  }

  async #keep(id: string, value: string): Promise<void> {
    this.#options.secrets.add([value]);
    try {
      await this.#options.store.set(id, value);
    } catch (error) {
      this.#options.logger.warn('An input could not be stored', { input: id, error });
    }
  }
}

function missing(id: string, context: InputContext): ConfigError {
  const [variable] = inputEnvNames(id, context).slice(-2);
  return new ConfigError(
    `inputs.${id}`,
    `it has no value: set the environment variable ${variable}, or answer when asked`,
  );
}
