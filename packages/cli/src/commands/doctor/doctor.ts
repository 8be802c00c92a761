import { hostname } from 'node:os';
import { version } from 'node:process';
import { defineCommand, UsageError } from '../../command.ts';
import { Exit } from '../../failure.ts';
import {
  caOption,
  computerNameOption,
  connectionOf,
  connectionOptions,
  inputOption,
  inputValuesOf,
  readChoice,
} from '../../options.ts';
import { prettyJson } from '../../output/json.ts';
import { oneLine } from '../../output/table.ts';
import { openStore, STORES, storeOption } from '../computer/store.ts';
import { configFileOf } from '../config/location.ts';
import { type Finding, ok, problem, showFinding } from '../finding.ts';
import { summaries } from '../summaries.ts';
import { checkConfigFile, checkMcpServers } from './configuration.ts';
import { checkServer } from './server-checks.ts';

/** The oldest version of Node that the tests run on. */
const MIN_NODE = [20, 19] as const;

/** `a2c doctor` */
export const doctor = defineCommand({
  summary: summaries.doctor,
  options: {
    ...connectionOptions,
    ...caOption,
    url: { type: 'string', short: 'u', value: 'URL', env: 'A2C_URL', summary: 'The Server to check' },
    config: {
      type: 'string',
      short: 'c',
      value: 'FILE',
      env: 'A2C_CONFIG',
      summary: 'The configuration to check; default: that of a2c add, if any',
    },
    ...computerNameOption,
    ...inputOption,
    ...storeOption,
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  examples: ['a2c doctor --config mcp.json', 'a2c doctor --url https://relay.example.com --office o1 --key "$KEY"'],
  async run({ options, ...world }) {
    const { env, signal, print, redaction } = world;
    const { url, name = hostname() } = options;
    // A Server on the command line is the only subject of the question; `A2C_URL` is for all commands.
    const isAboutServer = url !== undefined && url !== env.A2C_URL;
    const path = isAboutServer ? options.config : configFileOf(options.config, env);
    if (url === undefined && path === undefined)
      throw new UsageError('What to check? Give --config FILE, --url URL or both');
    const findings: Finding[] = [];
    const report = (...found: Finding[]) => {
      const shown = found.map(finding => ({ ...finding, text: redaction.redact(finding.text) }));
      findings.push(...shown);
      if (!options.json) for (const finding of shown) showFinding(finding, world);
    };
    report(checkNode());
    if (path !== undefined) {
      const { findings: about, config } = await checkConfigFile(path);
      report(...about);
      const store = await openStore(readChoice('--store', options.store, STORES), env);
      const onPending = (names: readonly string[]) => {
        const waiting = names.length > 0 ? `Waiting for MCP servers: ${names.map(oneLine).join(', ')}` : undefined;
        if (!options.json) world.terminal?.status(waiting);
      };
      const inputValues = inputValuesOf(options);
      if (config) await checkMcpServers({ path, config, inputValues, store, env, signal, report, onPending });
    }
    if (url !== undefined) {
      const connection = connectionOf({ ...options, url });
      redaction.hide(connection);
      report(...(await checkServer({ url, name, ...connection, signal })));
    }
    if (options.json) print(prettyJson(findings));
    return findings.some(({ severity }) => severity === 'problem') ? Exit.failed : Exit.ok;
  },
});

/** Checks the version of Node that runs the command. */
export function checkNode(running = version): Finding {
  const [major = 0, minor = 0] = running.replace('v', '').split('.').map(Number);
  const isRecent = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  if (isRecent) return ok('node', `Node ${running}`);
  return problem('node-old', `Node ${running} is too old`, `Install Node ${MIN_NODE.join('.')} or later`);
}
