import { type CompleteMCPServerConfig, ConfigError } from '@a2c-smcp/protocol';
import type { ServerAuth } from '../../oauth/server-auth.ts';
import { encodingOf } from '../process/encodings.ts';
import { parseDuration } from './duration.ts';
import { SseTransport, StreamableTransport } from './http.ts';
import { StdioTransport } from './stdio.ts';
import type { McpTransport } from './transport.ts';

export interface TransportOptions {
  /** Gets the standard error of a process. */
  onStderr: (text: string) => void;
  /** The authorisation of a server that is reached over HTTP. */
  auth: ServerAuth | undefined;
}

/** The transport that a configuration with all placeholders resolved asks for, not started yet. */
export function createTransport(config: CompleteMCPServerConfig, { onStderr, auth }: TransportOptions): McpTransport {
  switch (config.type) {
    case 'stdio': {
      const { command, args, env, cwd, encoding, encoding_error_handler } = config.server_parameters;
      return new StdioTransport({
        command,
        args: args.map(String),
        env: texts(env),
        ...(cwd === null ? {} : { cwd }),
        encoding: knownEncoding(encoding),
        encodingErrors: encoding_error_handler,
        onStderr,
      });
    }
    case 'sse': {
      const { url, headers, timeout, sse_read_timeout } = config.server_parameters;
      return new SseTransport({
        ...address(url, headers),
        timeout: timeout * 1000,
        silenceTimeout: sse_read_timeout * 1000,
        auth,
      });
    }
    case 'streamable': {
      const { url, headers, terminate_on_close } = config.server_parameters;
      const requestTimeout = duration(config, 'timeout');
      const silenceTimeout = duration(config, 'sse_read_timeout');
      return new StreamableTransport({
        ...address(url, headers),
        // A server that answers without a stream is silent while its tool runs, so reading sets the limit.
        timeout: Math.max(requestTimeout, silenceTimeout),
        requestTimeout,
        silenceTimeout,
        terminateOnClose: terminate_on_close,
        auth,
      });
    }
  }
}

type Streamable = Extract<CompleteMCPServerConfig, { type: 'streamable' }>;

function duration({ server_parameters }: Streamable, field: 'timeout' | 'sse_read_timeout'): number {
  const milliseconds = parseDuration(server_parameters[field]);
  if (milliseconds === undefined) {
    throw new ConfigError(`server_parameters.${field}`, "expected an ISO 8601 duration such as 'PT30S'");
  }
  return milliseconds;
}

/** Where to send requests and with which headers. Credentials in a URL become a header: `fetch` refuses them there. */
function address(text: string, headers: Record<string, unknown> | null): { url: URL; headers: Record<string, string> } {
  // The text may hold a credential, so it is not repeated.
  if (!URL.canParse(text)) throw new ConfigError('server_parameters.url', 'expected an absolute URL');
  const url = new URL(text);
  const credentials = [url.username, url.password].map(decodeURIComponent).join(':');
  const basic: Record<string, string> =
    credentials === ':' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  url.username = '';
  url.password = '';
  return { url, headers: { ...basic, ...texts(headers) } };
}

function knownEncoding(encoding: string): string {
  const known = encodingOf(encoding);
  if (known !== undefined) return known;
  throw new ConfigError('server_parameters.encoding', `'${encoding}' is no known encoding; use one such as 'utf-8'`);
}

function texts(values: Record<string, unknown> | null): Record<string, string> {
  return Object.fromEntries(Object.entries(values ?? {}).map(([key, value]) => [key, String(value)]));
}
