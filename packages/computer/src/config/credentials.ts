import type { CompleteMCPServerConfig } from '@a2c-smcp/protocol';

/** Whether something of that name is likely to be a credential. */
export function isCredentialName(name: string): boolean {
  return /auth|token|key|secret|passw|passphrase|credential|cookie|session|signature/i.test(name);
}

/** The values of a configuration with its placeholders filled that nobody else may see. */
export function secretsOf(config: CompleteMCPServerConfig): string[] {
  if (config.type === 'stdio') {
    const { env, args } = config.server_parameters;
    return [...Object.values(env ?? {}).map(String), ...argumentSecrets(args)];
  }
  const { headers, url } = config.server_parameters;
  const named = Object.entries(headers ?? {}).filter(([name]) => isCredentialName(name));
  const values = named.map(([, value]) => String(value));
  // A scheme such as `Bearer` precedes the secret proper, which may turn up alone.
  return [...values, ...values.flatMap(value => value.split(/\s+/).slice(1)), ...urlSecrets(url)];
}

/** Values of `--token=…` and of the argument that follows `--token`. */
function argumentSecrets(args: readonly unknown[]): string[] {
  return args.map(String).flatMap((argument, index, all) => {
    const [, name = '', value] = /^--?([\w-]+)(?:=(.*))?$/s.exec(argument) ?? [];
    if (!isCredentialName(name)) return [];
    const secret = value ?? all[index + 1];
    return secret === undefined || secret.startsWith('-') ? [] : [secret];
  });
}

function urlSecrets(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { username, password, searchParams } = new URL(text);
  const named = [...searchParams].filter(([name]) => isCredentialName(name)).map(([, value]) => value);
  return [username, password, ...named]
    .flatMap(value => [value, encodeURIComponent(value)])
    .filter(value => value !== '');
}
