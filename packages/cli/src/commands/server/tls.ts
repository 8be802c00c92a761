import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readTextFile } from '@a2c-smcp/computer/files';
import { UsageError } from '../../command.ts';
import { readCertificates } from '../../options.ts';
import type { ServerSettings } from './settings.ts';

/** The certificate and the key that the settings name; undefined when they name none. */
export async function tlsOf({ certFile, keyFile }: ServerSettings): Promise<{ cert: string; key: string } | undefined> {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) {
    throw new UsageError('TLS needs a certificate and its private key: give both --cert FILE and --key-file FILE');
  }
  const cert = readCertificates('--cert', certFile);
  const key = await readTextFile(keyFile);
  if (!matches(cert, key)) throw new UsageError(`--key-file: '${keyFile}' has not the private key of '${certFile}'`);
  return { cert, key };
}

/** The host names of a certificate, without those with a wildcard. */
export function certificateNames(cert: string): string[] {
  const names = [...(new X509Certificate(cert).subjectAltName ?? '').matchAll(/DNS:([^,\s]+)/g)];
  return names.flatMap(([, name = '']) => (name.includes('*') ? [] : [name]));
}

function matches(cert: string, key: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
