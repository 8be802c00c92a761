import * as z from 'zod/mini';
import { ConfigError } from './errors.ts';
import { firstProblem } from './issues.ts';
import { plainInput } from './plain-input.ts';
import { ComputerConfigFile, type QuestionSettings } from './schemas/config.ts';
import type { MCPServerInput } from './schemas/inputs.ts';
import type { MCPServerConfig } from './schemas/mcp-server.ts';
import type { PolicyRule } from './schemas/policy.ts';
import { strict } from './strict.ts';

/** The configuration of a Computer, with its placeholders unresolved. */
export interface ComputerConfig {
  inputs: MCPServerInput[];
  policy: PolicyRule[];
  questions: QuestionSettings;
  servers: Record<string, MCPServerConfig>;
}

/** `__` separates it from the name of a tool. */
const BUNDLE_ID = /^(?!.*__)[A-Za-z0-9_-]+$/;

const StrictConfigFile = strict(ComputerConfigFile);

/** Reads the parsed contents of a configuration file. A `ConfigError` names the first field that is wrong. */
export function parseComputerConfig(data: unknown): ComputerConfig {
  const file = z.safeParse(StrictConfigFile, data);
  if (!file.success) {
    const { path, text } = firstProblem(file.error);
    throw new ConfigError(path, text);
  }
  const { policy = [], questions = {}, servers } = file.data;
  const inputs = (file.data.inputs ?? []).map(plainInput);
  refuseRepeatedIds(inputs);
  return { inputs, policy, questions, servers: named(servers) };
}

function named(servers: ComputerConfigFile['servers']): ComputerConfig['servers'] {
  const entries = Object.entries(servers).map(([key, server]) => {
    const { name = key } = server;
    if (name !== key) throw new ConfigError(`servers.${key}.name`, `expected '${key}', the key of the server`);
    if (typeof server.bundle_id === 'string' && !BUNDLE_ID.test(server.bundle_id)) {
      throw new ConfigError(`servers.${key}.bundle_id`, "expected letters, digits, '_' and '-', without '__'");
    }
    return [key, { ...server, name }];
  });
  return Object.fromEntries(entries);
}

function refuseRepeatedIds(inputs: readonly MCPServerInput[]): void {
  const ids = new Set<string>();
  for (const [index, { id }] of inputs.entries()) {
    if (ids.has(id)) throw new ConfigError(`inputs.${index}.id`, `'${id}' is the id of an earlier input`);
    ids.add(id);
  }
}
