import { win32 } from 'node:path';
import { UsageError } from '../../command.ts';
import { type Machine, type ServicePlan, type ServiceSpec, titleOf } from './plan.ts';
import { tailOf } from './powershell.ts';

/** Has few rights, and a folder of its own that other users cannot read. */
const ACCOUNT = 'NT AUTHORITY\\LocalService';
const STOP_TIMEOUT_MS = 60_000;

/**
 * A Windows service that starts with the machine. Shawl (https://github.com/mtkennerly/shawl) wraps the process, because the
 * service control manager speaks to programs by an API that Node lacks. It is for Servers: MCP servers of a Computer need
 * the session and the rights of their user.
 */
export function windowsServicePlan(spec: ServiceSpec, { env }: Machine): ServicePlan {
  const { name, role, user } = spec;
  if (role === 'computer') {
    throw new UsageError('--system: on Windows a Computer is a task of its user; leave the option out');
  }
  if (user !== undefined)
    throw new UsageError(`--user: on Windows the service runs as ${ACCOUNT}; leave the option out`);
  const root = env.SystemRoot || 'C:\\Windows';
  const folder = win32.join(root, 'ServiceProfiles\\LocalService\\AppData\\Local\\a2c-smcp');
  const variables = win32.join(folder, `${name}.env`);
  const [node = '', ...words] = spec.command;
  const wrapped = [
    ...['shawl', 'add', '--name', name, '--restart-if-not', '0,2', '--stop-timeout', String(STOP_TIMEOUT_MS)],
    ...['--log-dir', folder, '--', node, `--env-file=${variables}`, ...words],
  ];
  const remove = [
    // Waits until it has stopped; a service that is still stopping cannot be made again.
    { words: ['net', 'stop', name], mayFail: true },
    { words: ['sc', 'delete', name], mayFail: true },
  ];
  return {
    files: [{ path: variables, text: environmentOf(spec.environment), encoding: 'utf8', mode: 0o600 }],
    install: [
      ...remove,
      { words: wrapped, missing: "install it with 'winget install mtkennerly.shawl'" },
      { words: ['sc', 'config', name, 'start=', 'auto', 'obj=', ACCOUNT] },
      { words: ['sc', 'description', name, titleOf(spec)] },
      { words: ['sc', 'start', name] },
    ],
    uninstall: remove,
    cleanUp: [],
    status: ['sc', 'query', name],
    // The names of Shawl's files.
    logs: view => tailOf(win32.join(folder, `shawl_for_${name}_rCURRENT.log`), view),
    notes: [`It runs as ${ACCOUNT}, which must be able to read Node and this program: not in the folder of a user`],
  };
}

/** Variables as `node --env-file` reads them. It takes `\n` in double quotes for a line break. */
function environmentOf(environment: ServiceSpec['environment']): string {
  const lines = Object.entries(environment).map(([name, value]) => {
    const quote = ["'", '`', '"'].find(mark => !value.includes(mark) && (mark !== '"' || !value.includes('\\n')));
    if (quote === undefined || /[\r\n]/.test(value)) {
      throw new UsageError(`The value of ${name} has all kinds of quotes or a line break: write it without`);
    }
    return `${name}=${quote}${value}${quote}`;
  });
  return ['# Settings of the service, as environment variables. Restart it after a change.', ...lines, ''].join('\n');
}
