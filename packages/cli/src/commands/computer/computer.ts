import { hostname } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { type Computer, readConfigFile } from '@a2c-smcp/computer';
import { within } from '@a2c-smcp/core';
import { toJSONSchemas } from '@a2c-smcp/protocol';
import { defineCommand, type OptionSpecs, type OptionValues, stopped, type World } from '../../command.ts';
import { createLogger, LOG_FORMATS, LOG_LEVELS } from '../../log.ts';
import {
  caOption,
  computerNameOption,
  connectionOf,
  connectionOptions,
  inputOption,
  inputValuesOf,
  readChoice,
} from '../../options.ts';
import { oneLine } from '../../output/table.ts';
import { configFileOf } from '../config/location.ts';
import { serviceCommands } from '../service/service.ts';
import type { GivenValues } from '../service/spec.ts';
import { summaries } from '../summaries.ts';
import { configOption } from './config-option.ts';
import { consoleOption, consolePortOf, openConsole } from './console.ts';
import { Entrance } from './entrance.ts';
import { pins } from './pins.ts';
import { policy } from './policy.ts';
import { historyFileOf, historyOption, recordOptions, recordsOf } from './records.ts';
import { ComputerSession } from './session.ts';
import { signIn, signOut } from './sign-in/sign-in.ts';
import { openStore, STORES, storeOption } from './store.ts';

/** The options of `a2c computer`. */
const computerOptions = {
  ...connectionOptions,
  ...caOption,
  ...computerNameOption,
  ...configOption,
  skills: {
    type: 'string',
    value: 'FOLDER',
    env: 'A2C_SKILLS',
    summary: 'Skills for the Agent: a folder with a folder for each',
  },
  'skill-mount': {
    type: 'string',
    value: 'FOLDER',
    multiple: true,
    summary: 'A folder in which MCP servers, and links in the folder of skills, may have skills',
  },
  ...inputOption,
  ...storeOption,
  ...recordOptions,
  ...historyOption,
  ...consoleOption,
  uploads: {
    type: 'string',
    value: 'DIR',
    env: 'A2C_UPLOADS',
    summary: 'Let Agents send files to this folder; they are deleted when the Computer stops',
  },
  'print-schema': { type: 'boolean', summary: 'Print the JSON Schema of the configuration, for editors' },
  'no-wait': { type: 'boolean', summary: 'End at once if no Server answers at the start, instead of retrying' },
  offline: { type: 'boolean', summary: 'Do not connect; the shell can do so later' },
  service: { type: 'boolean', summary: 'No shell and no questions, also on a terminal' },
  logs: { type: 'string', value: LOG_FORMATS.join('|'), env: 'A2C_LOGS', summary: 'pretty on a terminal, else json' },
  'log-level': {
    type: 'string',
    value: LOG_LEVELS.join('|'),
    env: 'A2C_LOG_LEVEL',
    summary: 'warn in the shell, else info',
  },
} as const satisfies OptionSpecs;

/** The log messages of a Computer that carry a line of an MCP server. */
const SERVER_LINES: ReadonlySet<string> = new Set(['MCP server log', 'MCP server stderr']);

/** As long as a Computer waits for servers that it does not know. */
const START_WAIT_MS = 10_000;

/** A service has no keyboard and stays; values of inputs would be seen by all users of the machine. */
const { input: _, history: __, 'print-schema': ___, offline: ____, service: _____, ...serviceSpecs } = computerOptions;

/** `a2c computer` */
export const computer = defineCommand({
  summary: summaries.computer,
  options: computerOptions,
  subcommands: {
    'sign-in': signIn,
    'sign-out': signOut,
    pins,
    policy,
    ...serviceCommands({ role: 'computer', specs: serviceSpecs, prepare: prepareService }),
  },
  examples: [
    'a2c computer --config mcp.json',
    'a2c computer --config mcp.json --console',
    'a2c computer --config mcp.json --skills ./skills',
    'a2c computer -u https://relay.example.com -o office-1 --key "$KEY" -c mcp.json',
  ],
  async run({ options, ...context }) {
    if (options['print-schema']) {
      context.print(JSON.stringify(configSchema(), null, 2));
      return;
    }
    const world: World = options.service ? { ...context, terminal: undefined } : context;
    const { signal, note, style, terminal } = world;
    const format = readChoice('--logs', options.logs ?? (context.terminal ? 'pretty' : 'json'), LOG_FORMATS);
    const level = readChoice('--log-level', options['log-level'] ?? (terminal ? 'warn' : 'info'), LOG_LEVELS);
    const followed = new Set<string>();
    const isShownElsewhere = (message: string, { mcp_server }: Record<string, unknown>) =>
      SERVER_LINES.has(message) && followed.has(String(mcp_server));
    const logger = createLogger({ write: note, format, level, style, isShownElsewhere });
    world.runAsService(logger);
    const connection = connectionOf(options);
    world.redaction.hide(connection);
    const onWait = (error: Error) => {
      if (format === 'json') logger.warn('No Server answers; the Computer retries', { error: error.message });
      else note(style.yellow(`${oneLine(error.message)}. Retrying; 'a2c server' starts one, --url names another`));
    };
    const entrance = new Entrance({ url: options.url, connection, isPatient: !options['no-wait'], onWait }, world);
    const configFile = configFileOf(options.config, world.env);
    // A mistake in the file is the only line then.
    if (configFile !== undefined) await readConfigFile(configFile);
    if (!options.offline) await entrance.check();
    const consolePort = consolePortOf(options.console);
    const records = await recordsOf(options, options.name ?? hostname(), world.env);
    await using session = await ComputerSession.open(
      {
        name: options.name,
        configFile,
        skills: {
          ...(options.skills === undefined ? {} : { folder: options.skills }),
          mountFolders: options['skill-mount'],
        },
        inputValues: inputValuesOf(options),
        uploads: options.uploads,
        records,
        faces: consolePort === undefined ? [] : [{ name: 'console' }],
        store: await openStore(readChoice('--store', options.store, STORES), world.env),
        logger,
        logLevel: level,
        followed,
      },
      world,
    );
    const idle = session.computer.on('callStarted', () => {
      idle();
      // A small heap would cost calls a fifth more CPU.
      setFlagsFromString('--no-optimize-for-size');
    });
    if (session.computer.status().length > 0 && format === 'pretty') {
      await whenStarted(session.computer, signal);
      const { serverTable } = await import('./shell/servers.ts');
      for (const line of serverTable(session.computer.status(), session.computer, style)) note(line);
    }
    if (consolePort !== undefined) context.print(await openConsole(session, consolePort));
    const closed = new AbortController();
    const until = AbortSignal.any([signal, closed.signal]);
    // The lines of the log say the same.
    const follower = format === 'json' ? { ...world, note() {} } : world;
    followConnection(session, follower, error => closed.abort(error));
    if (!options.offline) await entrance.enter(session, until, error => closed.abort(error));
    if (terminal) note(style.dim("'help' lists the commands, 'quit' ends."));
    if (terminal) {
      const { runShell } = await import('./shell/shell.ts');
      await runShell(session, { ...world, terminal, signal: until }, historyFileOf(options.history, world.env));
    } else {
      // Without an office, and while its MCP servers sleep, nothing else keeps the process alive.
      const alive = setInterval(() => {}, 2 ** 30);
      await stopped(until);
      clearInterval(alive);
    }
    closed.signal.throwIfAborted();
  },
});

/** Resolves when no MCP server is starting, also of those that are listed from the cache, or after a while. */
async function whenStarted(computer: Computer, signal: AbortSignal): Promise<void> {
  const started = Promise.all(computer.status().map(({ name }) => computer.settled(name)));
  await within(started, { timeout: START_WAIT_MS, signal }).catch(() => {});
}

async function prepareService(given: GivenValues, { env }: World): Promise<GivenValues> {
  const { config, store } = given as OptionValues<typeof serviceSpecs>;
  // The default of a system service is that of its user.
  const configFile = given.system === true ? config : configFileOf(config, env);
  if (configFile !== undefined) await readConfigFile(configFile);
  readChoice('--store', store, STORES);
  return given;
}

/** Notes changes of the connection. `onClosed` gets the error that ended the connection. */
function followConnection(
  { computer }: ComputerSession,
  { note, style, signal }: World,
  onClosed: (error: Error) => void,
): void {
  let isLost = false;
  computer.on(
    'connection',
    state => {
      if (state.type === 'lost') note(style.yellow(`The connection is lost (${oneLine(state.reason)}); reconnecting`));
      else if (state.type === 'joined' && isLost) note(style.green('Connected'));
      else if (state.type === 'closed' && state.error) onClosed(state.error);
      // The first join is announced by name.
      isLost = state.type === 'lost' || (isLost && state.type === 'retrying');
    },
    { signal },
  );
}

/** The JSON Schema of a configuration file, without references to other files. */
function configSchema(): object {
  const { ComputerConfigFile = {}, ToolMeta = {} } = toJSONSchemas();
  const { $id: _, ...meta } = ToolMeta;
  const { $id: __, ...file } = ComputerConfigFile;
  const text = JSON.stringify({ ...file, $defs: { ToolMeta: meta } });
  return JSON.parse(text.replaceAll('"ToolMeta.json"', '"#/$defs/ToolMeta"'));
}
