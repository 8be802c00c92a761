import type { OperatorConsole } from '@a2c-smcp/console/operator';
import type { Logger } from '@a2c-smcp/core';
import type { Place } from './invitation.ts';

/** The pages for operators. They are loaded when they are wanted. */
export async function createConsole(logger: Logger): Promise<OperatorConsole> {
  const { operatorConsole } = await import('@a2c-smcp/console/operator');
  return operatorConsole({ logger });
}

/**
 * The origins under which browsers reach the console: those of this machine, and the names of the Server where TLS protects
 * the session, its own or that of a proxy.
 */
export function consoleOrigins(
  { url, names }: Place,
  { tls, trustProxy = false }: { tls?: object; trustProxy?: boolean },
): string[] {
  const { protocol, port } = new URL(url);
  const own = port === '' ? '' : `:${port}`;
  const local = ['127.0.0.1', 'localhost', '[::1]'].map(name => `${protocol}//${name}${own}`);
  const outside = tls || trustProxy ? names.flatMap(name => [`https://${name}${own}`, `https://${name}`]) : [];
  // A certificate is for names.
  return [...new Set(tls ? [...outside, ...local] : [...local, ...outside])];
}
