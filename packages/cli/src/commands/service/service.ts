import { homedir } from 'node:os';
import { type CommandGroup, defineCommand, type OptionSpecs, type World } from '../../command.ts';
import { Exit } from '../../failure.ts';
import { readNumber } from '../../options.ts';
import { launchdPlan } from './launchd.ts';
import type { Machine, ServicePlan, ServiceSpec } from './plan.ts';
import { install, show, uninstall } from './run-plan.ts';
import { type GivenValues, type ServiceValues, serviceNameOf, serviceOptions, serviceSpecOf } from './spec.ts';
import { systemdPlan } from './systemd.ts';
import { taskPlan } from './task-scheduler.ts';
import { windowsServicePlan } from './windows-service.ts';

export interface ServiceCommandsOptions {
  role: ServiceSpec['role'];
  /** The options of the role's command that a service may have. */
  specs: OptionSpecs;
  /** The options to install. Fails for a mistake that would end the service at once. */
  prepare(given: GivenValues, world: World): Promise<GivenValues>;
}

/** `install`, `uninstall`, `status` and `logs` of a role. */
export function serviceCommands({ role, specs, prepare }: ServiceCommandsOptions): CommandGroup['commands'] {
  const title = role === 'computer' ? 'Computer' : 'Server';
  return {
    install: defineCommand({
      summary: `Install the ${title} as a service with these options, and start it.`,
      options: {
        ...specs,
        ...serviceOptions,
        user: { type: 'string', value: 'NAME', summary: 'With --system: the user that runs it' },
        print: { type: 'boolean', summary: 'Print the files of the service instead of installing it' },
      } as OptionSpecs,
      examples: [`a2c ${role} install`, `sudo a2c ${role} install --system`, `a2c ${role} install --print`],
      async run({ options, args: _, ...world }) {
        const { as, system, user, print } = options as unknown as ServiceValues & { user?: string; print: boolean };
        const given = await prepare(options, world);
        const machine = machineOf(world);
        const spec = serviceSpecOf({ role, specs, given, service: { as, system, user } }, world, machine);
        const plan = planOf(spec, machine);
        if (print) return printFiles(plan, world);
        await install(plan, world);
        world.print(`Service '${spec.name}' is installed and started`);
        const flags = [...(as === undefined ? [] : ['--as', as]), ...(system ? ['--system'] : [])].join(' ');
        for (const note of [`'${`a2c ${role} logs ${flags}`.trim()}' shows its log`, ...plan.notes])
          world.note(world.style.dim(note));
        return Exit.ok;
      },
    }),
    uninstall: defineCommand({
      summary: `Stop the ${title}'s service and remove it.`,
      options: serviceOptions,
      async run({ options, args: _, ...world }) {
        const { name, plan } = installed(role, options, world);
        if (await uninstall(plan, world)) world.print(`Service '${name}' is removed`);
        else throw new Error(`There is no service '${name}': --as NAME and --system say which one`);
      },
    }),
    status: defineCommand({
      summary: `Show whether the ${title}'s service runs, as the system's service manager knows it.`,
      options: serviceOptions,
      async run({ options, args: _, ...world }) {
        return show(installed(role, options, world).plan.status, world);
      },
    }),
    logs: defineCommand({
      summary: `Show the log of the ${title}'s service.`,
      options: {
        ...serviceOptions,
        lines: { type: 'string', short: 'n', value: 'N', default: '100', summary: 'How many of the last lines' },
        follow: { type: 'boolean', short: 'f', summary: 'Continue with new lines' },
      },
      async run({ options, args: _, ...world }) {
        const lines = readNumber('--lines', options.lines, { min: 0, max: 1_000_000 });
        return show(installed(role, options, world).plan.logs({ lines, isFollowing: options.follow }), world);
      },
    }),
  };
}

/** The plan of a service for the service manager of a machine. */
export function planOf(spec: ServiceSpec, machine: Machine): ServicePlan {
  if (machine.platform === 'darwin') return launchdPlan(spec, machine);
  if (machine.platform !== 'win32') return systemdPlan(spec, machine);
  return spec.scope === 'system' ? windowsServicePlan(spec, machine) : taskPlan(spec, machine);
}

/** The plan of a service that exists. Its command and environment are in its files. */
function installed(role: ServiceSpec['role'], options: ServiceValues, world: World) {
  const name = serviceNameOf(role, options);
  const scope = options.system ? 'system' : 'user';
  const spec: ServiceSpec = { name, role, scope, user: undefined, command: [], environment: {} };
  return { name, plan: planOf(spec, machineOf(world)) };
}

function machineOf({ env }: World): Machine {
  return { platform: process.platform, home: env.HOME ?? homedir(), uid: process.getuid?.(), env };
}

function printFiles({ files }: ServicePlan, { print }: World): number {
  for (const { path, text } of files) print(`# ${path}\n${text.replace('\ufeff', '')}`);
  return Exit.ok;
}
