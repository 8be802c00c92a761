import { type AskableInput, Computer, type InputStore, inputEnvNames, type ResourceProblem } from '@a2c-smcp/computer';
import { loadConfigFile } from '@a2c-smcp/computer/files';
import { clip } from '@a2c-smcp/core';
import { type ComputerConfig, ConfigError, closest, type MCPServerConfig } from '@a2c-smcp/protocol';
import { explainFailure } from '../../failure.ts';
import { type Finding, ok, problem, warning } from '../finding.ts';
import { failedServer, slowServer } from './mcp-advice.ts';

/** Milliseconds that an MCP server gets to start and list its tools. */
const START_TIMEOUT_MS = 30_000;
/** Milliseconds from which a start is reported as slow. */
const SLOW_START_MS = 10_000;
/** Characters of a URI that are shown. */
const MAX_SUBJECT_LENGTH = 200;

/** Reads the configuration file. The result has no `config` when that fails. */
export async function checkConfigFile(path: string): Promise<{ findings: Finding[]; config?: ComputerConfig }> {
  try {
    const { config, ignored } = await loadConfigFile(path);
    const { inputs, servers } = config;
    const facts = `MCP servers: ${Object.keys(servers).length}, inputs: ${inputs.length}`;
    const findings = [ok('config', `'${path}' is valid (${facts})`)];
    if (ignored.length > 0) {
      const text = `These fields are not known here and have no effect: ${ignored.join(', ')}`;
      findings.push(warning('config-ignored', text, "'a2c computer --print-schema' has the fields that count"));
    }
    findings.push(...unknownInputs(config));
    return { findings, config };
  } catch (error) {
    const { message } = explainFailure(error);
    const remedy = "Correct this field; 'a2c computer --print-schema' has them all";
    if (error instanceof ConfigError) return { findings: [problem('config-invalid', message, remedy)] };
    const unreadable = 'Give the path of a file that can be read with --config';
    return { findings: [problem('config-unreadable', message, unreadable)] };
  }
}

/** Placeholders for undefined inputs reach the MCP server as they are. */
function unknownInputs({ inputs, servers }: ComputerConfig): Finding[] {
  return Object.values(servers).flatMap(({ name, server_parameters, envFile, roots, oauth }) => {
    const text = JSON.stringify([server_parameters, envFile, roots, oauth]);
    const ids = new Set([...text.matchAll(/\$\{input:([^}"]+)\}/g)].map(([, id = '']) => id));
    return [...ids]
      .filter(id => inputs.every(input => input.id !== id))
      .map(id =>
        problem(
          'input-unknown',
          `MCP server '${name}' refers to an input '${id}', which is not defined`,
          meant(id, inputs),
        ),
      );
  });
}

function meant(id: string, inputs: ComputerConfig['inputs']): string {
  const near = closest(
    id,
    inputs.map(input => input.id),
  );
  return near ? `Did you mean '${near}'?` : "Define it under 'inputs', with 'id', 'type' and 'description'";
}

export interface CheckServersOptions {
  /** The configuration file: stored values of inputs belong to it. */
  path: string;
  config: ComputerConfig;
  inputValues: Record<string, string>;
  store: InputStore;
  env: Record<string, string | undefined>;
  signal: AbortSignal;
  /** Gets each finding as soon as there is one. */
  report: (finding: Finding) => void;
  /** Gets the names of the MCP servers that have not settled yet. */
  onPending: (names: readonly string[]) => void;
}

/** Starts every MCP server of a configuration once, and stops it again. */
export async function checkMcpServers(options: CheckServersOptions): Promise<void> {
  const { path, config, inputValues, store, env, signal, report, onPending } = options;
  await using computer = await Computer.open({
    name: 'doctor',
    inputs: config.inputs,
    ask: async input => {
      report(judgeInput(input));
      return undefined;
    },
    env,
    inputValues,
    store,
    startTimeout: START_TIMEOUT_MS,
  });
  const pending = new Set(Object.keys(config.servers));
  onPending([...pending]);
  const checks = Object.values(config.servers).map(async server => {
    const finding = await checkMcpServer(computer, server, path);
    signal.throwIfAborted();
    pending.delete(server.name);
    onPending([...pending]);
    report(finding);
  });
  await Promise.all(checks);
  for (const finding of await checkResources(computer)) report(finding);
}

async function checkMcpServer(computer: Computer, server: MCPServerConfig, file: string): Promise<Finding> {
  const { name } = server;
  if (server.disabled) return ok('mcp-disabled', `MCP server '${name}' is disabled and was not started`);
  const start = performance.now();
  const status = await computer.addServer(server, { file });
  const elapsed = performance.now() - start;
  const seconds = (elapsed / 1000).toFixed(1);
  if (status.auth === 'sign-in-needed') {
    const text = `MCP server '${name}' waits for a sign-in`;
    return problem('mcp-sign-in', text, failedServer(server, status.error ?? ''));
  }
  if (status.state !== 'ready') {
    const reason = status.error ?? 'it did not start';
    const text = `MCP server '${name}' failed after ${seconds} s: ${reason}`;
    return problem('mcp-failed', text, failedServer(server, reason), status.stderr);
  }
  const lazily = server.start === 'lazy' ? '; a Computer starts it with the first call' : '';
  const fact = `MCP server '${name}' is ready after ${seconds} s with ${status.tools} tools${lazily}`;
  return elapsed < SLOW_START_MS ? ok('mcp', fact) : warning('mcp-slow', fact, slowServer(server));
}

/** One finding for each kind of problem of the windows and documents of a Computer. */
async function checkResources(computer: Computer): Promise<Finding[]> {
  const subjects = new Map<string, Set<string>>();
  const adopted = new Set<string>();
  const onProblem = ({ server, uri, code, message, fields }: ResourceProblem) => {
    const subject = uri ?? (typeof fields?.host === 'string' ? fields.host : `MCP server '${server}'`);
    subjects.set(message, (subjects.get(message) ?? new Set()).add(subject));
    if (code.startsWith('adopted-')) adopted.add(message);
  };
  await computer.desktop({ onProblem });
  await computer.finder({ onProblem });
  const correct = "Correct the MCP server; 'a2c inspect NAME' has a finding with the remedy for each";
  const correctPatterns = "Correct 'documents' in the configuration; 'a2c inspect NAME' lists what the server has";
  return [...subjects].map(([message, found]) => {
    const [first = ''] = found;
    const more = found.size > 1 ? ` and ${found.size - 1} more` : '';
    const remedy = adopted.has(message) ? correctPatterns : correct;
    return warning('resources', `${message} (${clip(first, MAX_SUBJECT_LENGTH)}${more})`, remedy);
  });
}

function judgeInput({ id, default: value }: AskableInput): Finding {
  if (value) return ok('input-default', `Input '${id}' has only its default`);
  const remedy = `Give it with --input ${id}=VALUE, set ${inputEnvNames(id)[0]}, or store it: 'a2c computer --store file' asks`;
  return problem('input-missing', `Input '${id}' has no value`, remedy);
}
