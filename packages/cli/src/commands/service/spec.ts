import { resolve } from 'node:path';
import { type OptionSpecs, UsageError, type World } from '../../command.ts';
import { readHeaders } from '../../options.ts';
import type { Machine, ServiceSpec } from './plan.ts';

/** The options of the commands around a service. */
export const serviceOptions = {
  as: { type: 'string', value: 'NAME', summary: 'The name of the service; a2c-computer or a2c-server by default' },
  system: { type: 'boolean', summary: 'A service of the system, started with the machine; needs its administrator' },
} as const satisfies OptionSpecs;

export interface ServiceValues {
  as: string | undefined;
  system: boolean;
}

/** The name of a service, which becomes a part of file names. */
export function serviceNameOf(role: ServiceSpec['role'], { as: name = `a2c-${role}` }: ServiceValues): string {
  if (/^[A-Za-z0-9][\w-]{0,63}$/.test(name)) return name;
  throw new UsageError(`--as: '${name}' is no name of a service: up to 64 letters, digits, '-' and '_'`);
}

/** The values of the options of a role's command. */
export type GivenValues = Record<string, unknown>;

export interface SpecInput {
  role: ServiceSpec['role'];
  /** The options of the role's command. */
  specs: OptionSpecs;
  given: GivenValues;
  service: ServiceValues & { user: string | undefined };
}

/** The service that runs a role with the given options. */
export function serviceSpecOf({ role, specs, given, service }: SpecInput, world: World, machine: Machine): ServiceSpec {
  const scope = service.system ? 'system' : 'user';
  const user = userOf(role, service, machine);
  const command = [...world.program, role, ...(role === 'computer' ? ['--service'] : [])];
  const environment: Record<string, string> = {};
  for (const [name, spec] of Object.entries(specs)) {
    const value = settingOf(name, spec, given[name]);
    if (value === undefined) continue;
    if (spec.env !== undefined) environment[spec.env] = String(value);
    else command.push(...wordsOf(name, value));
  }
  // MCP servers are found as in the shell that installs the service.
  if (role === 'computer' && machine.env.PATH) environment.PATH = machine.env.PATH;
  if (world.program.some(word => /[\\/]_npx[\\/]/.test(word))) {
    throw new UsageError("'npx' runs this command from a cache, which is emptied: npm install --global a2c-smcp first");
  }
  const spec = { name: serviceNameOf(role, service), role, scope, user, command, environment } as const;
  if (scope === 'system' && user === undefined) requireReadable(spec, machine);
  return spec;
}

function userOf(role: ServiceSpec['role'], service: SpecInput['service'], { env, uid }: Machine): string | undefined {
  if (!service.system) {
    if (service.user !== undefined) throw new UsageError('--user is for --system: without it, the service is yours');
    return undefined;
  }
  if (role === 'server' || service.user !== undefined) return service.user;
  const owner = env.SUDO_USER ?? (uid === 0 ? undefined : env.USER);
  if (owner !== undefined) return owner;
  throw new UsageError('Whose Computer is it? Name the user whose rights its MCP servers have with --user NAME');
}

function settingOf(name: string, { type, value: kind = '', default: standard }: OptionSpecs[string], given: unknown) {
  if (given === undefined || given === false || given === standard) return undefined;
  if (type === 'boolean') return true;
  const isPath = /^(FILE|DIR|FOLDER)/.test(kind);
  const values = (Array.isArray(given) ? given : [given]).map(text =>
    isPath && text !== 'off' ? resolve(text) : text,
  );
  if (values.length === 0) return undefined;
  if (name === 'header') return JSON.stringify(Object.assign({}, ...values.map(text => readHeaders('--header', text))));
  return Array.isArray(given) ? values : values[0];
}

function wordsOf(name: string, value: unknown): string[] {
  if (value === true) return [`--${name}`];
  return [value].flat().map(text => `--${name}=${text}`);
}

/** A user that the system makes up cannot read homes. */
function requireReadable({ command, environment }: ServiceSpec, { home, platform }: Machine): void {
  if (platform !== 'linux') return;
  const inHome = [...command, ...Object.values(environment)].find(
    text => text.startsWith(`${home}/`) || /^\/(home|root)\//.test(text),
  );
  if (inHome === undefined) return;
  throw new UsageError(
    `The service could not read '${inHome}': move it out of the home, or name a user with --user NAME`,
  );
}
