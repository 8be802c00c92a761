import { posix } from 'node:path';
import { UsageError } from '../../command.ts';
import { type Machine, type ServicePlan, type ServiceSpec, titleOf } from './plan.ts';

/** Permissions that a Server gives up. Memory must stay writable and executable: V8 compiles into it. */
const HARDENING = `DynamicUser=yes
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
LockPersonality=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
UMask=0077`;

/** A unit of systemd, of the user or of the system. */
export function systemdPlan(spec: ServiceSpec, machine: Machine): ServicePlan {
  const { name, scope } = spec;
  const unit = `${name}.service`;
  const config = machine.env.XDG_CONFIG_HOME || posix.join(machine.home, '.config');
  const isSystem = scope === 'system';
  const environment = isSystem ? `/etc/a2c-smcp/${name}.env` : posix.join(config, 'a2c-smcp', `${name}.env`);
  const path = isSystem ? `/etc/systemd/system/${unit}` : posix.join(config, 'systemd/user', unit);
  const systemctl = (...words: string[]) => ['systemctl', ...(isSystem ? [] : ['--user']), ...words];
  const journalctl = ['journalctl', isSystem ? '--unit' : '--user-unit', unit, '--output', 'cat', '--no-pager'];
  return {
    files: [
      { path, text: unitOf(spec, environment), encoding: 'utf8', mode: 0o644 },
      { path: environment, text: environmentOf(spec.environment), encoding: 'utf8', mode: 0o600 },
    ],
    install: [
      { words: systemctl('daemon-reload') },
      { words: systemctl('enable', unit) },
      // Starts it, too. A new unit has no effect on a service that is running.
      { words: systemctl('restart', unit) },
    ],
    uninstall: [{ words: systemctl('disable', '--now', unit), mayFail: true }],
    cleanUp: [{ words: systemctl('daemon-reload') }],
    status: systemctl('status', unit, '--no-pager', '--lines', '0'),
    logs: ({ lines, isFollowing }) => [...journalctl, '--lines', String(lines), ...(isFollowing ? ['--follow'] : [])],
    notes: isSystem ? [] : ["It runs while you are logged in; 'loginctl enable-linger' starts it with the machine"],
  };
}

function unitOf(spec: ServiceSpec, environment: string): string {
  const { command, scope, role, user } = spec;
  const isHardened = role === 'server' && scope === 'system' && user === undefined;
  return `[Unit]
Description=${titleOf(spec)}
${scope === 'system' ? 'Wants=network-online.target\nAfter=network-online.target\n' : ''}
[Service]
Type=exec
ExecStart=${command.map(quoted).join(' ')}
EnvironmentFile=${escaped(environment)}
Restart=always
RestartSec=5
# A mistake in the settings does not mend itself.
RestartPreventExitStatus=2
# The process ends its MCP servers itself; what is left after the timeout is killed.
KillMode=mixed
TimeoutStopSec=60
${user === undefined ? '' : `User=${user}\n`}${isHardened ? `${HARDENING}\n` : ''}
[Install]
WantedBy=${scope === 'system' ? 'multi-user.target' : 'default.target'}
`;
}

/** A word of `ExecStart`, in which systemd expands variables and specifiers. */
function quoted(word: string): string {
  const text = escaped(word).replaceAll('$', '$$$$');
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%%');
}

function environmentOf(environment: ServiceSpec['environment']): string {
  const lines = Object.entries(environment).map(([name, value]) => {
    if (/[\r\n]/.test(value)) throw new UsageError(`The value of ${name} has a line break: write it in one line`);
    return `${name}="${value.replaceAll(/["\\$`]/g, '\\$&')}"`;
  });
  return ['# Settings of the service, as environment variables. Restart it after a change.', ...lines, ''].join('\n');
}
