import {
  type Ask,
  type AskableInput,
  Computer,
  inputEnvNames,
  type McpServerStatus,
  type ResourceProblem,
  readConfigFile,
} from '@a2c-smcp/computer';
import { clip } from '@a2c-smcp/core';
import { type ComputerConfig, ConfigError } from '@a2c-smcp/protocol';
import { explainFailure } from '../../failure.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Milliseconds that an MCP server gets to start and list its tools. */
const START_TIMEOUT_MS = 30_000;
/** Milliseconds from which a start is reported as slow. */
const SLOW_START_MS = 10_000;
/** Characters of a URI that are shown. */
const MAX_SUBJECT_LENGTH = 200;

/** Reads the configuration file. The result has no `config` when that fails. */
export async function checkConfigFile(path: string): Promise<{ finding: Finding; config?: ComputerConfig }> {
  try {
    const config = await readConfigFile(path);
    const { inputs, servers } = config;
    const facts = `MCP servers: ${Object.keys(servers).length}, inputs: ${inputs.length}`;
    return { finding: ok('config', `'${path}' is valid (${facts})`), config };
  } catch (error) {
    const { message } = explainFailure(error);
    if (error instanceof ConfigError) {
      return {
        finding: problem('config-invalid', message, 'Correct this field; docs/reference/configuration.md has them all'),
      };
    }
    return { finding: problem('config-unreadable', message, 'Give the path of a file that can be read with --config') };
  }
}

export interface CheckServersOptions {
  config: ComputerConfig;
  inputValues: Record<string, string>;
  env: Record<string, string | undefined>;
  signal: AbortSignal;
}

/** Starts every MCP server of a configuration once, and stops it again. */
export async function checkMcpServers({ config, inputValues, env, signal }: CheckServersOptions): Promise<Finding[]> {
  const unanswered = new Map<string, AskableInput>();
  const checks = Object.entries(config.servers).map(async ([name, server]) => {
    if (server.disabled) return [ok('mcp-disabled', `MCP server '${name}' is disabled and was not started`)];
    const start = performance.now();
    let isInputMissing = false;
    const ask: Ask = async input => {
      unanswered.set(input.id, input);
      isInputMissing ||= !input.default;
      return undefined;
    };
    await using computer = await Computer.open({
      name: 'doctor',
      inputs: config.inputs,
      servers: { [name]: server },
      ask,
      env,
      inputValues,
      startTimeout: START_TIMEOUT_MS,
      patience: START_TIMEOUT_MS,
    });
    signal.throwIfAborted();
    const [status] = computer.status();
    const finding = judge(name, status, { elapsed: performance.now() - start, isInputMissing });
    return [finding, ...(await checkResources(computer))];
  });
  const findings = (await Promise.all(checks)).flat();
  return [...[...unanswered.values()].map(judgeInput), ...findings];
}

/** One finding for each kind of problem of the windows and documents of a Computer. */
async function checkResources(computer: Computer): Promise<Finding[]> {
  const subjects = new Map<string, Set<string>>();
  const onProblem = ({ server, uri, message }: ResourceProblem) => {
    subjects.set(message, (subjects.get(message) ?? new Set()).add(uri ?? `MCP server '${server}'`));
  };
  await computer.desktop({ onProblem });
  await computer.finder({ onProblem });
  const remedy = 'Correct the MCP server; docs/guide/desktop.md and docs/guide/finder.md have the rules';
  return [...subjects].map(([message, found]) => {
    const [first = ''] = found;
    const more = found.size > 1 ? ` and ${found.size - 1} more` : '';
    return warning('resources', `${message} (${clip(first, MAX_SUBJECT_LENGTH)}${more})`, remedy);
  });
}

function judgeInput({ id, default: value }: AskableInput): Finding {
  if (value) return ok('input-default', `Input '${id}' has only its default`);
  const remedy = `Give it with --input ${id}=VALUE, or set ${inputEnvNames(id)[0]}`;
  return problem('input-missing', `Input '${id}' has no value`, remedy);
}

function judge(
  name: string,
  status: McpServerStatus | undefined,
  { elapsed, isInputMissing }: { elapsed: number; isInputMissing: boolean },
): Finding {
  const seconds = (elapsed / 1000).toFixed(1);
  if (status?.state !== 'ready') {
    const reason = status?.error ?? 'it did not start';
    const remedy = isInputMissing ? 'Give the input its value' : 'Run its command in a terminal and see what it says';
    return problem('mcp-failed', `MCP server '${name}' failed after ${seconds} s: ${reason}`, remedy, status?.stderr);
  }
  const fact = `MCP server '${name}' is ready after ${seconds} s with ${status.tools} tools`;
  if (elapsed < SLOW_START_MS) return ok('mcp', fact);
  return warning('mcp-slow', fact, 'Install it locally: packages fetched at every start are slow and fail offline');
}
