import { readTextFile } from '@a2c-smcp/computer/files';
import { type Authenticate, apiKeys, type Identity, type JwtOptions, jwt } from '@a2c-smcp/server';
import { UsageError } from '../../command.ts';
import type { ServerSettings } from './settings.ts';

/** The authentication that the settings describe; undefined when they describe none. */
export async function authenticationOf({ keys = [], jwt: tokens }: ServerSettings): Promise<Authenticate | undefined> {
  if (keys.length > 0 && tokens) {
    throw new UsageError('Keys and JWTs are both set: choose one, or run a Server for each');
  }
  if (tokens) return jwt(await jwtOptions(tokens));
  if (keys.length === 0) return undefined;
  return apiKeys(new Map(keys.map((key, index) => (typeof key === 'string' ? plainKey(key, index) : richKey(key)))));
}

function plainKey(key: string, index: number): [string, Identity] {
  return [key, { id: `key-${index + 1}` }];
}

function richKey({ key, ...identity }: { key: string } & Identity): [string, Identity] {
  return [key, identity];
}

async function jwtOptions(tokens: NonNullable<ServerSettings['jwt']>): Promise<JwtOptions> {
  const { secret, publicKeyFile, algorithm, jwks, issuer, audience } = tokens;
  const common = { ...(issuer ? { issuer } : {}), ...(audience ? { audience } : {}) };
  if (secret !== undefined) return { ...common, secret };
  if (jwks !== undefined) return { ...common, jwks };
  if (publicKeyFile === undefined)
    throw new UsageError('JWTs need one of a secret, a public key file or a JWKS address');
  if (algorithm === undefined) throw new UsageError('A public key needs --jwt-algorithm, as in RS256');
  return { ...common, publicKey: await readTextFile(publicKeyFile), algorithm };
}
