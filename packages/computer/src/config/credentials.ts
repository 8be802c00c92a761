import { type CompleteMCPServerConfig, type MCPServerInput, pickOptions } from '@a2c-smcp/protocol';
import { argumentPieces, commandPieces, optionPieces, pathPieces, valuePieces } from './argument-pieces.ts';
import { isCredentialName } from './credential-names.ts';
import { type Divide, secretPieces } from './piece.ts';
import { hasPlaceholder } from './placeholders.ts';
import { prosePieces, vrlPieces } from './prose-pieces.ts';
import { decoded, urlPieces, userOf } from './url-pieces.ts';

/** A text is searched for secrets in it up to this number of parts. */
const MAX_PARTS = 500;

/** Shorter parts of a secret turn up by chance. */
const MIN_PART_LENGTH = 8;

/** The values of a configuration that must not be seen: all that `maskConfig` masks, and their parts. */
export function secretsOf(config: CompleteMCPServerConfig): string[] {
  const inScript = secretPieces(config.vrl ?? '', vrlPieces).filter(isTelling);
  const inRoots = (config.roots ?? []).flatMap(path => secretPieces(path, pathPieces));
  if (config.type === 'stdio') {
    const { env, args, command, cwd } = config.server_parameters;
    return [
      ...inScript,
      ...inRoots,
      ...valueSecrets(env),
      ...argumentSecrets(args.map(String)),
      ...[command, cwd ?? '', config.envFile ?? ''].flatMap(path => secretPieces(path, pathPieces)),
    ];
  }
  const { headers, url } = config.server_parameters;
  const { client_secret = '', private_key = '' } = config.oauth ?? {};
  const inOAuth = [client_secret, private_key].filter(text => !hasPlaceholder(text)).flatMap(secretsIn);
  return [...inScript, ...inRoots, ...inOAuth, ...valueSecrets(headers), ...urlSecrets(url)];
}

/** The values in the definition of an input that must not be seen. */
export function secretsOfInput(input: MCPServerInput): string[] {
  switch (input.type) {
    case 'promptString':
      return input.password === true ? secretsIn(input.default ?? '') : hiddenIn(input.default ?? '', optionPieces);
    case 'pickString':
      return [
        ...pickOptions(input).flatMap(({ label }) => secretPieces(label, prosePieces)),
        ...pickOptions(input).flatMap(({ value }) => hiddenIn(value, optionPieces)),
        ...hiddenIn(input.default ?? '', optionPieces),
      ];
    case 'command':
      return [...hiddenIn(input.command, commandPieces), ...argumentSecrets(Object.entries(input.args ?? {}).flat())];
  }
}

/** The user, the password and the tokens of a URL, alone and as the header that is made of them. */
export function urlSecrets(url: string): string[] {
  const pieces = secretPieces(url, urlPieces).flatMap(piece => [piece, decoded(piece)]);
  const { user, password } = userOf(url) ?? {};
  if (user === undefined || password === undefined || hasPlaceholder(url)) return pieces;
  const basic = Buffer.from(`${user}:${password}`).toString('base64');
  return [...pieces, user, password, `${user}:${password}`, basic];
}

/** A secret, and those parts of it that may turn up alone: what JSON, a header, a URL or `name=value` has in it. */
export function secretsIn(text: string): string[] {
  const parts = text.split(/[\s"'`;,&<>(){}[\]|]+/, MAX_PARTS);
  return [text, ...credentialsOf(text), ...jsonTexts(text), ...parts.flatMap(part => secretsInPart(part, text))];
}

function valueSecrets(values: Record<string, unknown> | null): string[] {
  return Object.values(values ?? {}).flatMap(value => hiddenIn(String(value), valuePieces));
}

function argumentSecrets(args: readonly string[]): string[] {
  return args.flatMap((argument, index) => hiddenIn(argument, marked => argumentPieces(marked, args[index - 1])));
}

function hiddenIn(text: string, divide: Divide): string[] {
  return [...secretPieces(text, divide).flatMap(secretsIn), ...(text.includes('://') ? urlSecrets(text) : [])];
}

function secretsInPart(part: string, whole: string): string[] {
  if (part.includes('://')) return urlSecrets(part);
  const [, value] = /^[\w.-]+[=:](.+)$/s.exec(part) ?? [];
  return [...(part !== whole && isTelling(part) ? [part] : []), ...(value === undefined ? [] : [value])];
}

/** True if a part is recognised alone: it is not a word, sentence, number, name or path. */
function isTelling(part: string): boolean {
  if (part.length < MIN_PART_LENGTH || /^[A-Za-z.'-]+$|\s/.test(part)) return false;
  return secretPieces(part, optionPieces).length > 0;
}

/** The credential after a scheme such as `Bearer`; for `Basic`, its decoded parts. */
function credentialsOf(text: string): string[] {
  const [, scheme = '', credentials] = /^([A-Za-z]+) +(\S+)$/.exec(text) ?? [];
  if (credentials === undefined) return [];
  if (scheme.toLowerCase() !== 'basic') return [credentials];
  const pair = Buffer.from(credentials, 'base64').toString('utf8');
  return [credentials, pair, pair.slice(pair.indexOf(':') + 1)];
}

/** The texts in JSON that are credentials by their name, and what looks like one in the others. */
function jsonTexts(text: string): string[] {
  if (!/^\s*[[{"]/.test(text)) return [];
  const texts: string[] = [];
  try {
    JSON.parse(text, (name, value: unknown) => {
      if (typeof value !== 'string' || texts.length >= MAX_PARTS) return value;
      if (isCredentialName(name)) texts.push(value);
      else if (!/\s/.test(value)) texts.push(...secretsInPart(value, text));
      return value;
    });
  } catch {
    return [];
  }
  return texts;
}
