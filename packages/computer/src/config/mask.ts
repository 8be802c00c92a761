import type { CompleteMCPServerConfig, GetComputerConfigRet, MCPServerInput } from '@a2c-smcp/protocol';
import { hasPlaceholder, withoutPlaceholders } from '../inputs/placeholders.ts';
import { MASK } from '../secrets.ts';
import { isCredentialName } from './credentials.ts';

/**
 * A configuration as an Agent may see it: placeholders as they are, literal credentials masked.
 *
 * @param redact takes secrets out of parameters that are known from elsewhere
 */
export function maskConfig(
  inputs: readonly MCPServerInput[],
  servers: readonly CompleteMCPServerConfig[],
  redact: <T>(parameters: T) => T,
): GetComputerConfigRet {
  const entries = servers.map(server => {
    const masked = maskServer(server);
    // The type and its parameters still belong together, which the compiler loses sight of.
    const shown = { ...masked, server_parameters: redact(masked.server_parameters) } as CompleteMCPServerConfig;
    return [server.name, shown];
  });
  return { inputs: inputs.map(maskInput), servers: Object.fromEntries(entries) };
}

/** The default of a password is a password. */
function maskInput(input: MCPServerInput): MCPServerInput {
  if (input.type !== 'promptString' || input.password !== true || !input.default) return input;
  return { ...input, default: MASK };
}

function maskServer(config: CompleteMCPServerConfig): CompleteMCPServerConfig {
  switch (config.type) {
    case 'stdio': {
      const { env, args, ...rest } = config.server_parameters;
      return { ...config, server_parameters: { ...rest, args: maskArguments(args), env: env && maskAll(env) } };
    }
    case 'sse': {
      const { url, headers, ...rest } = config.server_parameters;
      return { ...config, server_parameters: { ...rest, url: maskUrl(url), headers: headers && maskHeaders(headers) } };
    }
    case 'streamable': {
      const { url, headers, ...rest } = config.server_parameters;
      return { ...config, server_parameters: { ...rest, url: maskUrl(url), headers: headers && maskHeaders(headers) } };
    }
  }
}

function maskAll(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, maskText(value)]));
}

function maskHeaders(headers: Record<string, unknown>): Record<string, unknown> {
  const mask = ([name, value]: [string, unknown]) => [name, isCredentialName(name) ? maskText(String(value)) : value];
  return Object.fromEntries(Object.entries(headers).map(mask));
}

/** Shows a text that is made of placeholders, if need be behind the name of a scheme such as `Bearer`. */
function maskText(text: string): string {
  const literal = withoutPlaceholders(text);
  return literal === '' || (literal !== text && /^[A-Za-z]+ $/.test(literal)) ? text : MASK;
}

function maskArguments(args: readonly string[]): string[] {
  return args.map((argument, index) => {
    const [, flag = '', name = '', value] = /^(--?([\w-]+)=)(.*)$/s.exec(argument) ?? [];
    if (value !== undefined && isCredentialName(name)) return flag + maskText(value);
    const before = args[index - 1] ?? '';
    const follows = /^--?[\w-]+$/.test(before) && isCredentialName(before) && !argument.startsWith('-');
    return follows ? maskText(argument) : argument;
  });
}

/** Works on the text, because one with placeholders need not be a URL yet. */
function maskUrl(url: string): string {
  if (!hasPlaceholder(url) && !URL.canParse(url)) return MASK;
  return url
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]*)@/i, (_, scheme, user) => `${scheme}${maskText(user)}@`)
    .replace(/([?&])([^=&#]+)=([^&#]*)/g, (whole, separator, name, value) =>
      isCredentialName(name) ? `${separator}${name}=${maskText(value)}` : whole,
    );
}
