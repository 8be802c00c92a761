import { watch } from 'node:fs';
import { Debouncer } from '@a2c-smcp/core';
import { textOf } from '@a2c-smcp/protocol';
import { defineCommand, stopped, type World } from '../../command.ts';
import { Exit } from '../../failure.ts';
import { inputOption, inputValuesOf, readChoice, readJsonObject } from '../../options.ts';
import { prettyJson } from '../../output/json.ts';
import { askAt } from '../computer/ask.ts';
import { openStore, STORES, storeOption } from '../computer/store.ts';
import { configFileOf } from '../config/location.ts';
import type { Finding } from '../finding.ts';
import { summaries } from '../summaries.ts';
import { examine, type Report, testChange } from './examine.ts';
import { Inspected } from './inspected.ts';
import { showReport } from './show-report.ts';
import { findTarget, type Target } from './target.ts';

/** Milliseconds from a change to the next report; several changes make one. */
const WATCH_TIMING = { delay: 300, restart: true };

/** `a2c inspect` */
export const inspect = defineCommand({
  summary: summaries.inspect,
  args: 'COMMAND [ARGUMENT…] | URL | NAME',
  options: {
    config: {
      type: 'string',
      short: 'c',
      value: 'FILE',
      env: 'A2C_CONFIG',
      summary: 'The configuration that has NAME; default: that of a2c add',
    },
    env: { type: 'string', short: 'e', value: 'NAME=VALUE', multiple: true, summary: 'A variable for its process' },
    cwd: { type: 'string', value: 'DIR', summary: 'The folder in which its process starts' },
    header: { type: 'string', value: 'K:V', multiple: true, summary: 'A header of every request to its URL' },
    change: { type: 'string', value: 'TOOL', summary: 'Call this tool, which must change a window or a document' },
    params: { type: 'string', short: 'p', value: 'JSON', summary: 'The parameters of that call' },
    watch: { type: 'boolean', short: 'w', summary: 'Inspect again after every change, also of files of the command' },
    strict: { type: 'boolean', summary: 'Fail on warnings too' },
    ...inputOption,
    ...storeOption,
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  examples: [
    'a2c inspect node server.js',
    'a2c inspect --change build -- npx -y my-mcp-server --verbose',
    'a2c inspect http://127.0.0.1:3000/mcp --json',
    'a2c inspect files --watch      # an MCP server of the configuration',
  ],
  async run({ options, args, ...world }) {
    const { env } = world;
    const target = await findTarget(args, { ...options, file: configFileOf(options.config, env) });
    const store = await openStore(readChoice('--store', options.store, STORES), env);
    const params = options.params === undefined ? {} : readJsonObject('--params', options.params);
    const change = options.change === undefined ? undefined : { tool: options.change, params };
    const { terminal } = world;
    await using inspected = await Inspected.open(target, {
      store,
      env,
      inputValues: inputValuesOf(options),
      ...(terminal && { ask: askAt({ ...world, terminal }) }),
    });
    world.redaction.add(text => inspected.computer.redact(text));
    const look = async () => {
      const report = await examine(inspected);
      report.findings.push(
        ...(await changeFindings(inspected, report, { change, isAsking: !options.json && !options.watch, world })),
      );
      const shown = { ...report, findings: report.findings.map(finding => redacted(finding, world)) };
      if (options.json) world.print(prettyJson(shown));
      else showReport(args.join(' '), shown, world);
      return shown;
    };
    let report = await look();
    if (options.watch) {
      await follow(inspected, target, world, async () => {
        world.print('');
        report = await look();
      });
    }
    const counts = (severity: Finding['severity']) => report.findings.some(finding => finding.severity === severity);
    return counts('problem') || (options.strict && counts('warning')) ? Exit.failed : Exit.ok;
  },
});

function redacted(finding: Finding, { redaction }: Pick<World, 'redaction'>): Finding {
  return { ...finding, text: redaction.redact(finding.text) };
}

interface ChangeOptions {
  change: { tool: string; params: Record<string, unknown> } | undefined;
  /** True if a person may be asked to change something. */
  isAsking: boolean;
  world: Pick<World, 'terminal' | 'signal'>;
}

/** Tests that a change is announced: one that a tool makes, or one that a person triggers. */
async function changeFindings(
  inspected: Inspected,
  { windows, documents }: Report,
  { change, isAsking, world: { terminal, signal } }: ChangeOptions,
): Promise<Finding[]> {
  if (change) return testChange(inspected, `The tool '${change.tool}'`, () => callOrFail(inspected, change));
  if (!isAsking || !terminal || windows.length + documents.total === 0) return [];
  const question = 'Change something that a window or document shows, then press Enter; s skips this test: ';
  let isSkipped = false;
  const findings = await testChange(inspected, 'You', async () => {
    isSkipped = (await terminal.ask(question, { signal }))?.trim() !== '';
  });
  return isSkipped ? [] : findings;
}

async function callOrFail(
  inspected: Inspected,
  { tool, params }: { tool: string; params: Record<string, unknown> },
): Promise<void> {
  const result = await inspected.callTool(tool, params);
  if (result.isError === true) throw new Error(`The tool '${tool}' of --change failed: ${textOf(result)}`);
}

/** Calls `again` after changes of the MCP server, until the command ends. Restarts it when its files change. */
async function follow(
  { computer, name }: Inspected,
  { files }: Target,
  { signal, note }: Pick<World, 'signal' | 'note'>,
  again: () => Promise<void>,
): Promise<void> {
  const failures = (error: unknown) => note(`a2c: ${error instanceof Error ? error.message : error}`);
  const report = new Debouncer(() => again().catch(failures), WATCH_TIMING);
  const restart = new Debouncer(async () => {
    await computer.restartServer(name).catch(failures);
    report.request();
  }, WATCH_TIMING);
  for (const event of ['tools', 'desktop', 'finder'] as const) computer.on(event, () => report.request(), { signal });
  const watchers = files.map(file => watch(file, () => restart.request()));
  note('Waiting for changes; Ctrl-C ends');
  await stopped(signal);
  for (const watcher of watchers) watcher.close();
  report.cancel();
  restart.cancel();
}
