import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { a2c, type Ran, type Running, startA2c } from '../cli/a2c.ts';
import { root } from '../packages.ts';
import { atPrompt, once, runProgram, signIn, talk, until, withoutEffect } from './programs.ts';
import { writeScenery } from './scenery.ts';
import { assignment, expand, type ShellCommand } from './shell.ts';

/** The processes that all stories share, since starting them takes long. */
export interface Stage {
  /** The Server of an office with the Computer 'desk'. */
  readonly office: string;
  /** A Server without offices, for stories that start a Computer and no Server. */
  readonly empty: string;
  /** The key for operators of these Servers, and of every Server that a story starts. */
  readonly operatorKey: string;
  /** A Server that admits only clients with the key for operators. */
  readonly keyed: string;
  /** The addresses of the test by those that pages name. */
  readonly addresses: Readonly<Record<string, string>>;
}

export type Outcome = Pick<Ran, 'code' | 'out' | 'err'>;
type Variables = Record<string, string>;

/** The address of a Server on the pages. */
const OWN_SERVER = 'http://127.0.0.1:7000';
/** The other programs of the packages. */
const PROGRAMS: Record<string, string> = {
  'a2c-conformance': join(root, 'packages/conformance/bin/a2c-conformance.js'),
  'a2c-documents': join(root, 'packages/documents/bin/a2c-documents.js'),
};
const PROGRAM = [process.execPath, join(root, 'packages/cli/bin/a2c.js')];
/** Second words of commands that end, while `a2c server` and `a2c computer` run on. */
const ACTIONS = /^(install|uninstall|status|logs|top|console|disconnect|policy|pins|sign-out)$/;

/** The commands of one page, in order, in one folder and one home, as the person who reads the page would run them. */
export class Story implements AsyncDisposable {
  readonly #stage: Stage;
  readonly #folder: string;
  readonly #before = process.cwd();
  readonly #env: Variables;
  /** Commands that run on: a Server and a Computer at most. */
  readonly #services = new Map<string, Running>();

  constructor(page: string, stage: Stage) {
    this.#stage = stage;
    const cache = join(root, 'node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    // Below the repository, so that the MCP servers of the pages find the packages.
    this.#folder = mkdtempSync(join(cache, 'story-'));
    const home = join(this.#folder, 'home');
    this.#env = {
      HOME: home,
      PATH: `${join(home, 'bin')}:${process.env.PATH}`,
      A2C_URL: page.includes('conformance') ? stage.keyed : stage.office,
      A2C_NAME: 'desk',
      A2C_UPLOADS: join(home, 'uploads'),
      A2C_BRIDGE_TOKEN: 'a-token-of-the-bridge-for-clients',
      A2C_OPERATOR_KEY: stage.operatorKey,
      A2C_OPERATOR_KEYS: stage.operatorKey,
      KEY: 'a-key-of-the-relay',
    };
    writeScenery(this.#folder, page, text => this.#moved(text));
    process.chdir(this.#folder);
  }

  /** Runs a command to its end, or, if it is one that runs on, until it is ready. */
  async run({ variables, words: shown }: ShellCommand): Promise<Outcome> {
    const shell = { env: this.#env, run: async (inner: ShellCommand) => (await this.run(inner)).out };
    const own: Variables = {};
    for (const [name, value] of variables) own[name] = await expand(value, shell);
    const words = await Promise.all(shown.map(async word => this.#moved(await expand(word, shell))));
    const [program = '', ...args] = words[0] === 'npx' ? words.slice(1) : words;
    if (program === 'sudo') return a2c([...args.slice(1), '--print'], { env: this.#env });
    if (program === 'export') return this.#export(args);
    // Any free port in the place of the one that a page names.
    if (program === 'a2c') return this.#runA2c(args, { ...this.#env, ...own, A2C_PORT: '0' });
    const path = PROGRAMS[program];
    return runProgram(withoutEffect([...(path ? [process.execPath, path] : [program]), ...args]), this.#env);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const role of [...this.#services.keys()]) await this.#end(role);
    process.chdir(this.#before);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #runA2c(words: string[], env: Variables): Promise<Outcome> {
    const [role = '', action = ''] = words;
    const has = (...options: string[]) => options.some(option => words.includes(option));
    const world = { env, program: PROGRAM };
    const end = () => a2c(words, world);
    if (has('--help', '--print-schema', '--print-config')) return end();
    if (role === 'import') return a2c(words, { ...world, terminal: atPrompt('y') });
    if (action === 'top' && !has('--once')) return once(startA2c(words, world), /members/);
    if (action === 'disconnect') await this.#provideComputer();
    if (role === 'audit') await this.#recordCall();
    if (action === 'sign-in') return signIn(startA2c(words, world));
    if (ACTIONS.test(action)) return end();
    if (role === 'server') return this.#serve(words, env);
    if (role === 'computer') return this.#compute(words, env);
    if (role === 'bridge' && !has('--http')) return talk(words, world);
    if (role === 'bridge') return once(startA2c([...words, '0'], world), /^Authorization: Bearer \S+$/m);
    if (action === 'watch') return once(startA2c(words, world), /desk/);
    if (has('--watch')) return once(startA2c(words, world), /com\.example\.build/);
    return end();
  }

  async #serve(words: string[], env: Variables): Promise<Outcome> {
    await this.#end('server');
    const outcome = await this.#keep('server', words, env, /^Server on \S+/m);
    const [, url] = /^Server on (http:\S+)/m.exec(outcome.out) ?? [];
    const hasKeys = words.includes('--print-key') || env.A2C_KEYS !== undefined;
    // The other commands of its page are for the Server that they name, if they need no credentials of other machines.
    if (url !== undefined && !hasKeys) this.#env.A2C_URL = url;
    return outcome;
  }

  async #compute(words: string[], env: Variables): Promise<Outcome> {
    await this.#end('computer');
    if (!this.#services.has('server')) this.#env.A2C_URL = this.#stage.empty;
    const ready = words.includes('--console') ? /#token=/ : / is in office /;
    return this.#keep('computer', words, { ...env, ...this.#env }, ready);
  }

  async #keep(role: string, words: string[], env: Variables, ready: RegExp): Promise<Outcome> {
    const service = startA2c(words, { env, program: PROGRAM });
    const ended = await until(service, ready);
    if (ended) return { ...ended, code: ended.code || 1 };
    this.#services.set(role, service);
    return { code: 0, out: service.out, err: service.err };
  }

  /** The member that is disconnected. */
  async #provideComputer(): Promise<void> {
    const { HOME = '' } = this.#env;
    if (!this.#services.has('computer'))
      await this.#compute(['computer', '--config', join(HOME, 'mcp.json')], this.#env);
  }

  /** A call that the policy of the page has refused. */
  async #recordCall(): Promise<void> {
    if (this.#services.has('computer')) return;
    await this.#compute(['computer'], this.#env);
    await a2c(['agent', 'call', 'delete_file', 'path=/etc/hosts'], { env: this.#env });
  }

  async #end(role: string): Promise<void> {
    await this.#services.get(role)?.stop();
    this.#services.delete(role);
  }

  #export(words: string[]): Outcome {
    for (const [name, value] of words.map(assignment)) this.#env[name] = value;
    return { code: 0, out: '', err: '' };
  }

  /** Addresses of the page become those of the test, which are of this machine only. */
  #moved(text: string): string {
    const moved = text.replace('0.0.0.0', '127.0.0.1').replace(OWN_SERVER, this.#env.A2C_URL ?? '');
    return Object.entries(this.#stage.addresses).reduce((all, [shown, own]) => all.replace(shown, own), moved);
  }
}
