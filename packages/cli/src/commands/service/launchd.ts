import { posix } from 'node:path';
import { xmlText } from './markup.ts';
import type { Machine, ServicePlan, ServiceSpec } from './plan.ts';

/** An agent of a user, or a daemon of the system, of launchd on macOS. */
export function launchdPlan(spec: ServiceSpec, { home, uid = 0 }: Machine): ServicePlan {
  const { name, scope } = spec;
  const isSystem = scope === 'system';
  const path = isSystem
    ? `/Library/LaunchDaemons/${name}.plist`
    : posix.join(home, 'Library/LaunchAgents', `${name}.plist`);
  const log = isSystem ? `/var/log/${name}.log` : posix.join(home, 'Library/Logs', `${name}.log`);
  const domain = isSystem ? 'system' : `gui/${uid}`;
  const target = `${domain}/${name}`;
  return {
    // The file has credentials: launchd has no separate file for the environment.
    files: [{ path, text: propertyList(spec, log), encoding: 'utf8', mode: 0o600 }],
    install: [
      { words: ['launchctl', 'bootout', target], mayFail: true },
      { words: ['launchctl', 'enable', target] },
      { words: ['launchctl', 'bootstrap', domain, path] },
    ],
    uninstall: [{ words: ['launchctl', 'bootout', target], mayFail: true }],
    cleanUp: [],
    status: ['launchctl', 'print', target],
    logs: ({ lines, isFollowing }) => ['tail', '-n', String(lines), ...(isFollowing ? ['-F'] : []), log],
    notes: [`Its log is ${log}`],
  };
}

function propertyList({ name, user, command, environment }: ServiceSpec, log: string): string {
  const variables = Object.entries(environment).map(
    ([key, value]) => `    <key>${xmlText(key)}</key>\n    <string>${xmlText(value)}</string>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${xmlText(name)}</string>
  <key>ProgramArguments</key>
  <array>
${command.map(word => `    <string>${xmlText(word)}</string>`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('\n')}
  </dict>
${user === undefined ? '' : `  <key>UserName</key>\n  <string>${xmlText(user)}</string>\n`}  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>60</integer>
  <key>StandardOutPath</key>
  <string>${xmlText(log)}</string>
  <key>StandardErrorPath</key>
  <string>${xmlText(log)}</string>
</dict>
</plist>
`;
}
