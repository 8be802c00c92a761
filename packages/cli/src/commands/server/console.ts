import type { OperatorConsole } from '@a2c-smcp/console/operator';
import type { Logger } from '@a2c-smcp/core';
import { UsageError } from '../../command.ts';
import type { Place } from './invitation.ts';

/** Names by which this machine reaches itself. */
const LOCAL = ['127.0.0.1', 'localhost', '[::1]'];

/** The pages for operators. They are loaded when they are wanted. */
export async function createConsole(logger: Logger): Promise<OperatorConsole> {
  const { operatorConsole } = await import('@a2c-smcp/console/operator');
  return operatorConsole({ logger });
}

/** The settings that protect the session of a browser. */
interface Protection {
  tls?: object;
  trustProxy?: boolean | undefined;
}

/** Opens the pages under the origins of a Server. Returns the address for the first operator. */
export function openConsole(page: OperatorConsole, place: Place, protection: Protection): string {
  page.open(consoleOrigins(place, protection));
  return page.issueAddress();
}

/**
 * The origins under which browsers reach the console, the first one for its address: those of this machine, and the names of
 * the Server where TLS protects the session, its own or that of a proxy.
 */
export function consoleOrigins(
  { url, names }: Pick<Place, 'url' | 'names'>,
  { tls, trustProxy = false }: Protection,
): string[] {
  const { protocol, hostname, port, origin } = new URL(url);
  const own = port === '' ? '' : `:${port}`;
  const local = LOCAL.includes(hostname) ? [origin, ...LOCAL.map(name => `${protocol}//${name}${own}`)] : [];
  const outside = tls || trustProxy ? names.flatMap(name => [`https://${name}${own}`, `https://${name}`]) : [];
  // A certificate is for names.
  const origins = new Set(tls ? [...outside, origin, ...local] : [...local, ...outside]);
  if (origins.size > 0) return [...origins];
  throw new UsageError(
    `--console: browsers would reach '${hostname}' without TLS; listen on 127.0.0.1 or 0.0.0.0, or give --cert`,
  );
}
