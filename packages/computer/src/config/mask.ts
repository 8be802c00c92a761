import {
  type CompleteMCPServerConfig,
  type MCPServerInput,
  MCPServerStdioConfig,
  MCPServerStdioParameters,
  MCPServerStreamableHttpConfig,
  MCPServerStreamableHttpParameters,
  MCPSSEConfig,
  MCPSSEParameters,
} from '@a2c-smcp/protocol';
import { argumentPieces, commandPieces, optionPieces, pathPieces, valuePieces } from './argument-pieces.ts';
import { type Divide, maskPieces } from './piece.ts';
import { prosePieces, vrlPieces } from './prose-pieces.ts';
import { urlPieces } from './url-pieces.ts';

type Redact = (text: string) => string;

/**
 * A configuration as an Agent may see it: names, placeholders, and of the literals those that are known to be harmless.
 *
 * @param redact masks secrets that are known from elsewhere
 */
export function maskConfig(
  inputs: readonly MCPServerInput[],
  servers: readonly CompleteMCPServerConfig[],
  redact: Redact,
): { inputs: MCPServerInput[]; servers: CompleteMCPServerConfig[] } {
  return {
    inputs: inputs.map(input => maskInput(input, redact)),
    servers: servers.map(server => maskServer(server, redact)),
  };
}

function maskInput(input: MCPServerInput, redact: Redact): MCPServerInput {
  const mask = masker(redact);
  const shared = { id: input.id, description: mask(input.description, prosePieces) };
  const fallback = (value: string | null | undefined, divide: Divide) =>
    value === undefined ? {} : { default: value && mask(value, divide) };
  switch (input.type) {
    case 'promptString': {
      const { type, password } = input;
      // The default of a password is a password.
      const divide = password === true ? valuePieces : optionPieces;
      return { ...shared, type, ...fallback(input.default, divide), ...(password === undefined ? {} : { password }) };
    }
    case 'pickString': {
      const options = input.options.map(option => {
        if (typeof option === 'string') return mask(option, optionPieces);
        return { label: mask(option.label, prosePieces), value: mask(option.value, optionPieces) };
      });
      return { ...shared, type: input.type, options, ...fallback(input.default, optionPieces) };
    }
    case 'command': {
      const pairs = Object.entries(input.args ?? {}).map(([name, value]) => [
        mask(name, marked => argumentPieces(marked, undefined)),
        mask(value, marked => argumentPieces(marked, name)),
      ]);
      const args = input.args ? { args: Object.fromEntries(pairs) } : {};
      return { ...shared, type: input.type, command: mask(input.command, commandPieces), ...args };
    }
  }
}

/** An Agent sees adopted windows and documents themselves, and not what they come from. */
function maskServer(whole: CompleteMCPServerConfig, redact: Redact): CompleteMCPServerConfig {
  const { windows: _, documents: __, ...config } = whole;
  const mask = masker(redact);
  const vrl = typeof config.vrl === 'string' ? { vrl: mask(config.vrl, vrlPieces) } : {};
  const roots = config.roots ? { roots: config.roots.map(root => mask(root, pathPieces)) } : {};
  if (config.type === 'stdio') {
    const { command, args, env, cwd } = config.server_parameters;
    const server_parameters = {
      ...knownFields(MCPServerStdioParameters, config.server_parameters),
      command: mask(command, pathPieces),
      args: args.map((argument, index) => mask(argument, marked => argumentPieces(marked, args[index - 1]))),
      env: env && maskValues(env, mask),
      cwd: cwd && mask(cwd, pathPieces),
    };
    const envFile = config.envFile ? { envFile: mask(config.envFile, pathPieces) } : {};
    return { ...knownFields(MCPServerStdioConfig, config), ...vrl, ...roots, ...envFile, server_parameters };
  }
  const { url, headers } = config.server_parameters;
  const masked = { url: mask(url, urlPieces), headers: headers && maskValues(headers, mask) };
  const [schema, parameters] =
    config.type === 'sse'
      ? [MCPSSEConfig, MCPSSEParameters]
      : [MCPServerStreamableHttpConfig, MCPServerStreamableHttpParameters];
  // The type and its parameters still belong together, which the compiler loses sight of.
  return {
    ...knownFields(schema, config),
    ...vrl,
    ...roots,
    server_parameters: { ...knownFields(parameters, config.server_parameters), ...masked },
  } as CompleteMCPServerConfig;
}

/** The fields that a schema names. Of any other it is not known what it contains. */
function knownFields<T extends object>(schema: { shape: object }, value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(schema.shape, name))) as T;
}

type Mask = (text: string, divide: Divide) => string;

function masker(redact: Redact): Mask {
  return (text, divide) => redact(maskPieces(text, divide));
}

function maskValues(values: Record<string, unknown>, mask: Mask): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, mask(String(value), valuePieces)]));
}
