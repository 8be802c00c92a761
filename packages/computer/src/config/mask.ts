import type { CompleteMCPServerConfig, GetComputerConfigRet, MCPServerInput } from '@a2c-smcp/protocol';
import { argumentPieces, commandPieces, literalPieces, pathPieces, valuePieces } from './argument-pieces.ts';
import { type Divide, maskPieces } from './piece.ts';
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
): GetComputerConfigRet {
  const masked = servers.map(server => [server.name, maskServer(server, redact)]);
  return { inputs: inputs.map(input => maskInput(input, redact)), servers: Object.fromEntries(masked) };
}

function maskInput(input: MCPServerInput, redact: Redact): MCPServerInput {
  const mask = masker(redact);
  const description = redact(input.description);
  const standard = (value: string, divide: Divide) => (value === '' ? value : mask(value, divide));
  switch (input.type) {
    case 'promptString': {
      // The default of a password is a password.
      const divide = input.password === true ? valuePieces : literalPieces;
      return { ...input, description, ...(input.default ? { default: standard(input.default, divide) } : {}) };
    }
    case 'pickString': {
      const options = input.options.map(option => mask(option, literalPieces));
      const chosen = input.default ? { default: standard(input.default, literalPieces) } : {};
      return { ...input, description, options, ...chosen };
    }
    case 'command': {
      const pairs = Object.entries(input.args ?? {}).map(([name, value]) => [
        mask(name, marked => argumentPieces(marked, undefined)),
        mask(value, marked => argumentPieces(marked, name)),
      ]);
      const args = input.args ? { args: Object.fromEntries(pairs) } : {};
      return { ...input, description, command: mask(input.command, commandPieces), ...args };
    }
  }
}

function maskServer(config: CompleteMCPServerConfig, redact: Redact): CompleteMCPServerConfig {
  const mask = masker(redact);
  const vrl = typeof config.vrl === 'string' ? { vrl: redact(config.vrl) } : {};
  if (config.type === 'stdio') {
    const { command, args, env, cwd, ...rest } = config.server_parameters;
    const server_parameters = {
      ...rest,
      command: mask(command, pathPieces),
      args: args.map((argument, index) => mask(argument, marked => argumentPieces(marked, args[index - 1]))),
      env: env && maskValues(env, mask),
      cwd: cwd && mask(cwd, pathPieces),
    };
    return { ...config, ...vrl, server_parameters };
  }
  const { url, headers } = config.server_parameters;
  const masked = { url: mask(url, urlPieces), headers: headers && maskValues(headers, mask) };
  // The type and its parameters still belong together, which the compiler loses sight of.
  return {
    ...config,
    ...vrl,
    server_parameters: { ...config.server_parameters, ...masked },
  } as CompleteMCPServerConfig;
}

type Mask = (text: string, divide: Divide) => string;

function masker(redact: Redact): Mask {
  return (text, divide) => redact(maskPieces(text, divide));
}

function maskValues(values: Record<string, unknown>, mask: Mask): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, mask(String(value), valuePieces)]));
}
