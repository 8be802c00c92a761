import { defineCommand, stopped, type World } from '../../command.ts';
import { createLogger } from '../../log.ts';
import { connectionOptions, readNumber } from '../../options.ts';
import { columns } from '../../output/table.ts';
import { summaries } from '../summaries.ts';
import { type DemoOffice, openDemoOffice } from './office.ts';
import { giveTour } from './tour.ts';

/** `a2c demo`, and `npm start` */
export const demo = defineCommand({
  summary: summaries.demo,
  options: {
    port: {
      type: 'string',
      short: 'p',
      value: 'PORT',
      default: '7000',
      summary: 'The next free port is taken if it is in use',
    },
    exit: { type: 'boolean', summary: 'End after the tour, as without a terminal' },
    verbose: { type: 'boolean', summary: 'Show the logs of Server and Computer' },
  },
  async run({ options, ...world }) {
    const { signal, print, note, style, terminal } = world;
    const port = readNumber('--port', options.port, { min: 0, max: 65_535 });
    const logger = createLogger({ write: note, format: 'pretty', level: options.verbose ? 'debug' : 'off', style });
    await using office = await openDemoOffice({ port, logger });
    introduce(office, world);
    await giveTour(office.server.url, world);
    const staysOpen = terminal !== undefined && !options.exit;
    showConsole(office, staysOpen, world);
    if (!staysOpen) return;
    for (const line of nextSteps(office.server.url, world)) print(line);
    await stopped(signal);
  },
});

function introduce({ server, computer }: DemoOffice, { print, style }: World): void {
  const servers = computer.status().map(({ name }) => name);
  const rows = [
    ['Server', server.url],
    ['Computer', `${computer.name}, with the MCP servers ${servers.join(' and ')}`],
    ['Office', computer.office ?? ''],
  ].map(([name = '', value = '']) => [style.dim(name), value]);
  print('');
  print(` ${style.bold('A2C-SMCP')}  ${style.dim('remote machines in the hands of AI agents')}`);
  print('');
  for (const line of columns(rows)) print(`   ${line}`);
}

/** The last stop of the tour. An address is of no use when the console ends with the demo. */
function showConsole({ consoleAddress }: DemoOffice, staysOpen: boolean, { print, style }: World): void {
  if (consoleAddress === undefined) return;
  print('');
  print(` ${style.green('●')} ${style.bold('The console: all of this in a browser')}`);
  print(
    `   ${staysOpen ? style.cyan(consoleAddress) : style.dim('In a terminal the office stays open, and its address is here.')}`,
  );
}

function nextSteps(url: string, { style, env }: World): string[] {
  // In a clone, started by `npm start`, the command is not on the PATH.
  const a2c = env.npm_lifecycle_event === 'start' ? 'npx a2c' : 'a2c';
  const where = url === connectionOptions.url.default ? '' : ` -u ${url}`;
  const steps = [
    [`${a2c} agent tools${where}`, 'the same list, for you'],
    [`${a2c} agent call time timezone=Asia/Tokyo${where}`, 'call a tool'],
    [`${a2c} agent watch${where}`, 'what happens here, live'],
    [`${a2c} agent call wait seconds=60${where}`, 'Ctrl-C cancels it on the Computer too'],
    [`${a2c} computer${where} --config FILE`, "your machine joins, with Claude's, Cursor's or VS Code's mcp.json"],
  ].map(([command = '', text = '']) => [style.cyan(command), style.dim(text)]);
  return [
    '',
    ` ${style.green('●')} ${style.bold('Your turn')}  ${style.dim('The office stays open, and the Agent has left its seat to you. In another terminal:')}`,
    ...columns(steps).map(line => `   ${line}`),
    '',
    style.dim('   Ctrl-C ends the demo.'),
  ];
}
