import { homedir } from 'node:os';
import { sep } from 'node:path';
import { type Logger, within } from '@a2c-smcp/core';
import {
  type CompleteMCPServerConfig,
  ConfigError,
  type MCPServerCommandInput,
  type MCPServerInput,
  pickOptions,
} from '@a2c-smcp/protocol';
import { secretsIn, secretsOfInput } from '../config/credentials.ts';
import { type Origin, storeKey } from '../config/origin.ts';
import { fillPlaceholders } from '../config/placeholders.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { type InputContext, inputEnvNames, sharedEnvNames } from './env-names.ts';
import type { InputStore } from './store.ts';

/** An input that a person can be asked for. */
export type AskableInput = Exclude<MCPServerInput, MCPServerCommandInput>;

/**
 * Asks a person for a value, which for a `pickString` is that of an option, not its label. Undefined means that there is
 * no answer, and the default is taken.
 */
export type Ask = (input: AskableInput, options: { signal: AbortSignal }) => Promise<string | undefined>;

/**
 * Where the value of an input comes from: the options of the Computer, an environment variable, the store, the command of
 * the input, its default, or nowhere so far.
 */
export type InputSource =
  | { from: 'options' | 'store' | 'default'; value: string }
  | { from: 'environment'; variable: string; value: string }
  | { from: 'command' | 'none' };

export interface InputsOptions {
  /** Values by id, which win over all other sources. */
  values?: Readonly<Record<string, string>> | undefined;
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

/** The user of a value: an MCP server, and the configuration it comes from. */
export interface InputUser {
  origin: Origin;
  signal: AbortSignal;
}

/** The values behind `${input:id}`: from the options, the environment, the store, a person, or the default, in this order. */
export class Inputs {
  readonly #options: InputsOptions;
  #definitions: readonly MCPServerInput[] = [];
  /**
   * One resolution per origin, input and session, so that a person is asked once however many servers of a configuration
   * need it. The keys are those of the store.
   */
  readonly #values = new Map<string, Promise<string | undefined>>();
  readonly #origins = new Set<Origin>();

  constructor(options: InputsOptions) {
    this.#options = options;
  }

  get definitions(): readonly MCPServerInput[] {
    return this.#definitions;
  }

  /** Replaces the definitions. Values of inputs that are defined as before are kept. */
  define(definitions: readonly MCPServerInput[]): void {
    for (const { id, ...before } of this.#definitions) {
      const now = definitions.find(input => input.id === id);
      if (JSON.stringify({ id, ...before }) !== JSON.stringify(now)) this.#forget(id);
    }
    this.#definitions = definitions;
    for (const { variable, ids } of sharedEnvNames(definitions.map(({ id }) => id))) {
      const message = 'Two inputs take their value from one environment variable; rename one of them';
      this.#options.logger.warn(message, { variable, inputs: ids.join(', ') });
    }
    this.#options.secrets.add(definitions.flatMap(secretsOfInput));
  }

  /** Gives an input a value for the servers of some origins, for this session and in the store. */
  async set(id: string, value: string, origins: readonly Origin[]): Promise<void> {
    const input = this.#definitions.find(definition => definition.id === id);
    if (input) requireOption(input, value, 'the value');
    this.#options.secrets.add(secretsIn(value));
    for (const origin of origins) {
      this.#origins.add(origin);
      this.#values.set(storeKey(origin, id), Promise.resolve(value));
      await this.#options.store.set(storeKey(origin, id), value);
    }
  }

  /** The stored value of an input for the servers of an origin. */
  stored(id: string, origin: Origin): Promise<string | undefined> {
    return this.#options.store.get(storeKey(origin, id));
  }

  /** The source of an input's value for a server, without asking a person or running a command. */
  async source(id: string, origin: Origin, context: InputContext): Promise<InputSource> {
    const input = this.#definitions.find(definition => definition.id === id);
    if (!input) return { from: 'none' };
    const given = this.#given(id, context);
    if (given) return given;
    if (input.type === 'command') return { from: 'command' };
    const stored = await this.#stored(id, origin);
    if (stored !== undefined) return { from: 'store', value: stored };
    const { default: value = null } = input;
    return value === null ? { from: 'none' } : { from: 'default', value };
  }

  /** Forgets the value of an input, or of all. The next server that needs it finds or asks for it anew. */
  async clear(id: string | undefined, origins: readonly Origin[]): Promise<void> {
    const ids = id === undefined ? this.#definitions.map(input => input.id) : [id];
    for (const each of ids) {
      this.#forget(each);
      for (const origin of new Set([...origins, ...this.#origins])) {
        await this.#options.store.delete(storeKey(origin, each));
      }
    }
  }

  /** The configuration with values in the place of placeholders. Only inputs it refers to are resolved. */
  async fill(config: CompleteMCPServerConfig, user: InputUser): Promise<CompleteMCPServerConfig> {
    this.#origins.add(user.origin);
    const context = { server: config.name };
    const { server_parameters, envFile, roots, oauth, windows } = config;
    const filled = await fillPlaceholders(
      { server_parameters, envFile, roots, oauth, windows },
      async ({ kind, name }) => {
        if (kind === 'userHome') return homedir();
        if (kind === 'pathSeparator') return sep;
        return kind === 'env' ? this.#environment(name, config.name) : this.#value(name, context, user);
      },
    );
    // The type and its parameters still belong together, which the compiler loses sight of.
    return { ...config, ...filled } as CompleteMCPServerConfig;
  }

  #forget(id: string): void {
    for (const origin of this.#origins) this.#values.delete(storeKey(origin, id));
  }

  async #environment(name: string, server: string): Promise<string> {
    const value = this.#options.env[name];
    if (value === undefined) throw new ConfigError('server_parameters', `the environment has no variable '${name}'`);
    this.#options.secrets.add(secretsIn(value), server);
    return value;
  }

  async #value(id: string, context: InputContext, { origin, signal }: InputUser): Promise<string | undefined> {
    const { secrets, logger } = this.#options;
    const input = this.#definitions.find(definition => definition.id === id);
    if (!input) {
      logger.warn('A placeholder names an unknown input', { input: id, mcp_server: context.server });
      return undefined;
    }
    const given = this.#given(id, context);
    const value = given?.value ?? (await within(this.#resolve(input, origin), { signal }));
    if (value === undefined) throw missing(id, context);
    if (given) requireOption(input, value, given.from === 'environment' ? given.variable : 'its value in the options');
    secrets.add(secretsIn(value));
    return value;
  }

  /** The value from the options or the environment, which wins over the store and over `command` inputs. */
  #given(id: string, context: InputContext): Extract<InputSource, { value: string }> | undefined {
    const { values = {}, env } = this.#options;
    const value = Object.hasOwn(values, id) ? values[id] : undefined;
    if (value !== undefined) return { from: 'options', value };
    for (const variable of inputEnvNames(id, context)) {
      const found = env[variable];
      if (found !== undefined) return { from: 'environment', variable, value: found };
    }
    return undefined;
  }

  #resolve(input: MCPServerInput, origin: Origin): Promise<string | undefined> {
    const key = storeKey(origin, input.id);
    const known = this.#values.get(key);
    if (known) return known;
    const value = this.#find(input, origin);
    this.#values.set(key, value);
    const forget = () => this.#values.get(key) === value && this.#values.delete(key);
    value.then(found => {
      if (found === undefined) forget();
    }, forget);
    return value;
  }

  async #find(input: MCPServerInput, origin: Origin): Promise<string | undefined> {
    if (input.type === 'command') return this.#options.run(input, this.#options.signal);
    const stored = await this.#stored(input.id, origin);
    if (stored !== undefined) return requireOption(input, stored, 'its stored value', ': set another, or clear it');
    const answer = await this.#ask(input);
    if (answer === undefined)
      return typeof input.default === 'string' ? requireOption(input, input.default, 'its default') : undefined;
    requireOption(input, answer, 'the answer');
    await this.#keep(input.id, answer, origin);
    return answer;
  }

  async #ask(input: AskableInput): Promise<string | undefined> {
    const { ask, signal } = this.#options;
    try {
      return await ask?.(input, { signal });
    } catch (cause) {
      throw new ConfigError(`inputs.${input.id}`, 'asking for it failed', { cause });
    }
  }

  /** A store that is out of order costs a question, not the server. */
  async #stored(id: string, origin: Origin): Promise<string | undefined> {
    try {
      return await this.stored(id, origin);
    } catch (error) {
      this.#options.logger.warn('Stored inputs cannot be read', { input: id, error });
      return undefined;
    }
  }

  async #keep(id: string, value: string, origin: Origin): Promise<void> {
    this.#options.secrets.add(secretsIn(value));
    try {
      await this.#options.store.set(storeKey(origin, id), value);
    } catch (error) {
      this.#options.logger.warn('An input could not be stored', { input: id, error });
    }
  }
}

/** Returns the value unless the input has options and it is none of them. The value may be a secret: it is not repeated. */
function requireOption(input: MCPServerInput, value: string, what: string, advice = ''): string {
  if (input.type !== 'pickString' || pickOptions(input).some(option => option.value === value)) return value;
  throw new ConfigError(`inputs.${input.id}`, `${what} is none of its options${advice}`);
}

function missing(id: string, context: InputContext): ConfigError {
  const [variable] = inputEnvNames(id, context).slice(-2);
  return new ConfigError(
    `inputs.${id}`,
    `it has no value: set the environment variable ${variable}, or answer when asked`,
  );
}

/** All inputs; where an id is given twice, the later one. */
export function mergeInputs(...lists: (readonly MCPServerInput[] | undefined)[]): MCPServerInput[] {
  return [...new Map(lists.flatMap(list => list ?? []).map(input => [input.id, input])).values()];
}
