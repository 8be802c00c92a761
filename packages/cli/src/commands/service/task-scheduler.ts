import { win32 } from 'node:path';
import { UsageError } from '../../command.ts';
import { xmlText } from './markup.ts';
import { type Machine, type ServicePlan, type ServiceSpec, titleOf } from './plan.ts';
import { tailOf } from './powershell.ts';

/**
 * A task of the Windows Task Scheduler, started when its user logs on: Windows services run outside the session of the user,
 * without the user's rights, variables and Credential Manager.
 */
export function taskPlan(spec: ServiceSpec, { home, env }: Machine): ServicePlan {
  const { name } = spec;
  const folder = win32.join(env.LOCALAPPDATA || win32.join(home, 'AppData', 'Local'), 'a2c-smcp');
  const script = win32.join(folder, `${name}.cmd`);
  const definition = win32.join(folder, `${name}.xml`);
  const log = win32.join(folder, `${name}.log`);
  const task = `\\a2c-smcp\\${name}`;
  const user = [env.USERDOMAIN, env.USERNAME].filter(Boolean).join('\\');
  return {
    files: [
      // The Task Scheduler reads UTF-16 with its mark.
      { path: definition, text: `\ufeff${definitionOf(spec, { script, user })}`, encoding: 'utf16le', mode: 0o600 },
      { path: script, text: scriptOf(spec, log), encoding: 'utf8', mode: 0o600 },
    ],
    install: [
      { words: ['schtasks', '/End', '/TN', task], mayFail: true },
      { words: ['schtasks', '/Create', '/F', '/TN', task, '/XML', definition] },
      { words: ['schtasks', '/Run', '/TN', task] },
    ],
    uninstall: [
      { words: ['schtasks', '/End', '/TN', task], mayFail: true },
      { words: ['schtasks', '/Delete', '/F', '/TN', task], mayFail: true },
    ],
    cleanUp: [],
    status: ['schtasks', '/Query', '/TN', task, '/V', '/FO', 'LIST'],
    logs: view => tailOf(log, view),
    notes: [`Its log is ${log}`],
  };
}

/** Sets the environment and keeps the log, which the Task Scheduler does not do. */
function scriptOf({ command, environment }: ServiceSpec, log: string): string {
  const variables = Object.entries(environment).map(([name, value]) => {
    if (/["\r\n]/.test(value))
      throw new UsageError(`The value of ${name} has a quote or a line break: write it without`);
    return `set "${name}=${doubled(value)}"`;
  });
  const words = command.map(word => `"${doubled(word)}"`).join(' ');
  return [
    '@echo off',
    'chcp 65001 >nul',
    ...variables,
    `${words} >> "${doubled(log)}" 2>&1`,
    'exit /b %errorlevel%',
    '',
  ].join('\r\n');
}

/** A batch file takes a percent sign for the start of a variable. */
function doubled(text: string): string {
  return text.replaceAll('%', '%%');
}

function definitionOf(spec: ServiceSpec, { script, user }: { script: string; user: string }): string {
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${titleOf(spec)}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <UserId>${xmlText(user)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${xmlText(user)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>999</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>conhost.exe</Command>
      <Arguments>--headless cmd.exe /d /c "${xmlText(script)}"</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}
