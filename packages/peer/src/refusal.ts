import { readJson } from '@a2c-smcp/core';
import { ERROR_CODE_HEADER, ErrorCode, readError, SmcpError, VERSION_QUERY } from '@a2c-smcp/protocol';
import type { Address } from './address.ts';

/** The WebSocket close code of Servers that cannot refuse a version with an HTTP answer. */
export const VERSION_CLOSE_CODE = 4900;

/** An HTTP answer that is not a handshake. */
export interface HttpRefusal {
  status: number;
  /** Text, bytes or an object that was already parsed. */
  body: unknown;
  /** The response header of that name, if it can be read. */
  header(name: string): string | null;
}

/** Explains a refused handshake. */
export function explainHttp({ status, body, header }: HttpRefusal, address: Address): SmcpError {
  const error = readError(parseBody(body));
  if (error?.code === ErrorCode.VersionMismatch || header(ERROR_CODE_HEADER) === String(ErrorCode.VersionMismatch)) {
    return versionMismatch(address, error?.details);
  }
  const seconds = Number(header('retry-after'));
  const later = seconds > 0 ? { retry_after: seconds } : {};
  if (error && error.code >= 400) {
    const details = { ...later, ...error.details };
    return new SmcpError(error.code, refused(address, error.message), { ...error, details });
  }
  if (status === ErrorCode.NotFound) {
    const hint = `no Socket.IO at path '${address.path}': check the URL and the option 'path'`;
    return new SmcpError(ErrorCode.NotFound, refused(address, hint));
  }
  if (status === ErrorCode.Unauthorized || status === ErrorCode.Forbidden) {
    return new SmcpError(status, refused(address, `HTTP ${status}: check 'auth' and 'headers'`));
  }
  const code = status < 500 ? status : ErrorCode.Internal;
  return new SmcpError(code, refused(address, `HTTP ${status}`), { details: later });
}

/** Error 4008 with whatever the Server told about versions. */
export function versionMismatch({ url, query }: Address, told: Record<string, unknown> = {}): SmcpError {
  const details: Record<string, unknown> = { client_version: query[VERSION_QUERY], ...told };
  const speaks = details.server_version ?? 'another version';
  const range = details.min_supported === undefined ? '' : ` (${details.min_supported} to ${details.max_supported})`;
  return new SmcpError(
    ErrorCode.VersionMismatch,
    `The Server at '${url}' speaks A2C-SMCP ${speaks}${range}, this client speaks ${details.client_version}: ` +
      `install a version of this package that speaks the Server's, or connect to another Server`,
    { details },
  );
}

/** Explains that the Server refused the namespace, after the handshake. */
export function explainNamespace(error: Error & { data?: unknown }, address: Address): SmcpError {
  const told = readError(error.data);
  if (told && told.code !== ErrorCode.Unauthorized)
    return new SmcpError(told.code, refused(address, told.message), told);
  if (!told && (error.message === '' || error.message === 'Invalid namespace')) {
    return new SmcpError(ErrorCode.NotFound, refused(address, 'it has no namespace /smcp, so it is no SMCP Server'));
  }
  const reason = `${told?.message ?? error.message}: check 'auth' and 'headers'`;
  return new SmcpError(ErrorCode.Unauthorized, refused(address, reason), { details: told?.details, cause: error });
}

/** Explains a failed TLS connection by the code of Node's error. Undefined for other failures. */
export function explainTls(cause: unknown, { url }: Address): SmcpError | undefined {
  if (!(cause instanceof Error) || !('code' in cause)) return undefined;
  const { code, message } = cause;
  const fail = (text: string, details?: Record<string, unknown>) =>
    new SmcpError(ErrorCode.Timeout, text, { cause, ...(details && { details }) });
  if (code === 'EPROTO') return fail(`The Server at '${url}' speaks no TLS: write http:// in place of https://`);
  // A TLS server ends a connection that begins with plain HTTP.
  if (code === 'ECONNRESET' && /^(http|ws):/.test(url)) {
    return fail(`No Server answers at '${url}', it closed the connection: if it speaks TLS, write https://`, {
      reason: 'unreachable',
    });
  }
  if (code === 'CERT_HAS_EXPIRED') return fail(`The certificate of the Server at '${url}' has expired: renew it`);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return fail(
      `The certificate of the Server at '${url}' is for another name: connect by one that it has. ${message}`,
    );
  }
  if (!/^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_)/.test(String(code))) return undefined;
  const hint = "trust its authority with the option 'ca' or with the variable NODE_EXTRA_CA_CERTS";
  return fail(`The certificate of the Server at '${url}' is not trusted (${message}): ${hint}`, {
    reason: 'untrusted',
  });
}

/** Explains that there was no answer at all. */
export function unreachable({ url }: Address, cause?: unknown): SmcpError {
  return new SmcpError(
    ErrorCode.Timeout,
    `No Server answers at '${url}': check the address, that the Server is running, and firewalls and proxies between`,
    { details: { reason: 'unreachable' }, cause },
  );
}

/** Explains that the Server disconnected instead of answering the join. */
export function dismissed(address: Address): SmcpError {
  const hint = "it disconnected instead of answering the join: check 'auth' and 'headers'";
  return new SmcpError(ErrorCode.Unauthorized, refused(address, hint), { details: { reason: 'disconnected' } });
}

function refused({ url }: Address, reason: string): string {
  return `The Server at '${url}' refused the connection: ${reason}`;
}

function parseBody(body: unknown): unknown {
  const isBytes = body instanceof ArrayBuffer || ArrayBuffer.isView(body);
  const text = isBytes ? new TextDecoder().decode(body) : body;
  return typeof text === 'string' ? readJson(text) : text;
}
