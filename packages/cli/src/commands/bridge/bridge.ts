import { Bridge } from '@a2c-smcp/bridge';
import { type CommandContext, defineCommand, stopped, UsageError } from '../../command.ts';
import { createLogger, LOG_FORMATS, LOG_LEVELS } from '../../log.ts';
import { readChoice, readNumber } from '../../options.ts';
import { summaries } from '../summaries.ts';
import { CLIENTS, clientConfig } from './client-config.ts';
import { entryOf } from './entry.ts';
import { bridgeConnectionOf, bridgeOptions, bridgeSettingsOf, readList } from './options.ts';

type Context = CommandContext<typeof bridgeOptions>;

/** `a2c bridge` */
export const bridge = defineCommand({
  summary: summaries.bridge,
  options: bridgeOptions,
  examples: [
    'a2c bridge --print-config claude-code --office demo   # the entry for .mcp.json',
    'a2c bridge --http --office demo                       # for clients that connect by HTTP',
    'a2c bridge --office demo --computers desk --read-only # only harmless tools of one Computer',
  ],
  async run(context) {
    const { options, print, terminal, signal, redaction } = context;
    const connection = bridgeConnectionOf(options);
    redaction.hide(connection);
    const settings = bridgeSettingsOf(options);
    if (options['print-config'] !== undefined) {
      print(configFor(options['print-config'], context));
      return;
    }
    if (terminal && options.http === undefined) {
      const hint = 'let an MCP client start it (--print-config prints the entry), or add --http';
      throw new UsageError(`'a2c bridge' speaks MCP on standard input and output: ${hint}`);
    }
    const logger = createLogger({
      write: context.note,
      format: readChoice('--logs', options.logs, LOG_FORMATS),
      level: readChoice('--log-level', options['log-level'], LOG_LEVELS),
      style: context.style,
    });
    context.runAsService(logger);
    await using office = new Bridge(connection, { ...settings, logger });
    await (options.http === undefined ? serveClient(office, context) : serveHttp(office, context, signal));
  },
});

function configFor(client: string, { options }: Context): string {
  const name = readChoice('--print-config', client, CLIENTS);
  const config = clientConfig(name, entryOf(options));
  if (config !== undefined) return config;
  throw new UsageError(`'${name}' starts MCP servers itself: leave out --http`);
}

/** Ends when the client closes its end. */
async function serveClient(office: Bridge, { streams, signal }: Context): Promise<void> {
  const client = office.serve(streams);
  await Promise.race([client.closed, stopped(signal)]);
  await client.close();
}

async function serveHttp(office: Bridge, { options, note }: Context, signal: AbortSignal): Promise<void> {
  const http = await office.listen({
    port: readNumber('--http', options.http ?? '', { min: 0, max: 65_535 }),
    address: options.host,
    hostNames: readList(options['allow-host']),
    token: options['http-token'],
  });
  note(http.url);
  note(`Authorization: Bearer ${http.token}`);
  await stopped(signal);
}
