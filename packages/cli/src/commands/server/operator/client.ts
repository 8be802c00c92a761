import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { backoff, clip, fieldsOf, pause, readJson } from '@a2c-smcp/core';
import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import type { OperatorFrame, OperatorSnapshot } from '@a2c-smcp/server';
import { type CommandContext, type OptionSpecs, UsageError } from '../../../command.ts';
import { caOption, connectionOptions, readCertificates } from '../../../options.ts';
import { shownUrl } from '../../../output/url.ts';

/** The options of every command for operators. */
export const operatorOptions = {
  url: connectionOptions.url,
  key: {
    type: 'string',
    value: 'KEY',
    env: 'A2C_OPERATOR_KEY',
    summary: "An operator's key, which 'a2c server --operator-key KEY' admits",
  },
  ...caOption,
  json: { type: 'boolean', summary: 'Print JSON' },
} as const satisfies OptionSpecs;

/** Characters of one event of the stream. A snapshot of a full cluster has some hundred thousand. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024;
/** Bytes of one answer. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Milliseconds without a frame after which the connection counts as lost. There is one each second. */
const SILENCE_TIMEOUT_MS = 10_000;

/** Milliseconds between two attempts to reconnect. */
const RECONNECT = { first: 500, longest: 5000 };

/** A frame of the event stream. */
export type StreamEvent =
  | { event: 'snapshot'; data: OperatorSnapshot }
  | { event: 'delta'; data: OperatorFrame }
  /** The Server cannot be reached; the next attempt comes by itself. */
  | { event: 'lost'; reason: string };

/** Speaks to the operator API of a Server. */
export class OperatorClient {
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #ca: string | undefined;

  constructor({ options, redaction }: Pick<CommandContext<typeof operatorOptions>, 'options' | 'redaction'>) {
    const { url, key, ca } = options;
    if (!URL.canParse(url)) throw new UsageError('--url: not a URL; write it as in http://127.0.0.1:7000');
    if (key === undefined) {
      throw new UsageError("An operator's key is needed: give --key KEY or A2C_OPERATOR_KEY, as 'a2c server' got it");
    }
    this.#url = new URL(url);
    this.#headers = { authorization: `Bearer ${key}` };
    redaction.hide({ auth: {}, headers: this.#headers });
    this.#ca = ca === undefined ? undefined : readCertificates('--ca', ca);
  }

  /** The Server's address for people. */
  get url(): string {
    return shownUrl(this.#url.href);
  }

  async request<T>(method: 'GET' | 'POST' | 'DELETE', path: string, signal: AbortSignal): Promise<T> {
    const response = await this.#send(method, path, { signal });
    return readJson(await readAll(response)) as T;
  }

  /** Follows the event stream. Reconnects when it breaks, after the first frame has come. */
  async *events(signal: AbortSignal): AsyncGenerator<StreamEvent> {
    let last = '';
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        const resume: Record<string, string> = last === '' ? {} : { 'last-event-id': last };
        const response = await this.#send('GET', 'events', { signal, headers: resume });
        for await (const { id, topic, value } of readEvents(response)) {
          attempt = 0;
          last = id;
          yield { event: topic, data: value } as StreamEvent;
        }
        yield { event: 'lost', reason: 'The Server ended the stream' };
      } catch (error) {
        // Credentials do not become valid by waiting.
        if (signal.aborted || last === '' || error instanceof UsageError) throw error;
        yield { event: 'lost', reason: error instanceof Error ? error.message : String(error) };
      }
      await pause(backoff(attempt, RECONNECT), signal);
    }
  }

  async #send(
    method: string,
    path: string,
    { signal, headers = {} }: { signal: AbortSignal; headers?: Record<string, string> },
  ): Promise<http.IncomingMessage> {
    const { request } = this.#url.protocol === 'https:' ? https : http;
    const url = new URL(`/api/v1/${path}`, this.#url);
    const sent = request(url, {
      ...{
        method,
        signal,
        headers: { ...this.#headers, 'content-length': '0', ...headers },
        timeout: SILENCE_TIMEOUT_MS,
      },
      ...(this.#ca === undefined ? {} : { ca: this.#ca }),
    });
    sent.on('timeout', () => sent.destroy(new Error('The Server has gone silent')));
    const [response] = (await once(sent.end(), 'response').catch((error: unknown) => {
      throw signal.aborted ? signal.reason : unreachable(this.url, error);
    })) as [http.IncomingMessage];
    if (response.statusCode === 200) return response;
    throw refusalOf(response.statusCode, await readAll(response));
  }
}

function unreachable(url: string, error: unknown): SmcpError {
  const { message, code } = fieldsOf(error);
  const text = `No Server can be reached at ${url} (${message || code})`;
  return new SmcpError(ErrorCode.Timeout, text, { details: { reason: 'unreachable' } });
}

function refusalOf(status = 0, body: string): Error {
  const { error } = fieldsOf(readJson(body));
  // Without operators, and of Servers of other makes.
  if (status === 404 && error === undefined) {
    return new SmcpError(status, 'The Server has no operator API: start it with --operator-key KEY');
  }
  const { message } = fieldsOf(error);
  const text = typeof message === 'string' ? message : `HTTP ${status}`;
  if (status === 401) return new UsageError(`${text}; give it with --key or A2C_OPERATOR_KEY`);
  return new SmcpError(status, text);
}

async function readAll(response: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response) {
    parts.push(part);
    size += part.length;
    if (size > MAX_BODY_BYTES) throw new Error('The answer of the Server is larger than 16 MiB');
  }
  return Buffer.concat(parts).toString();
}

async function* readEvents(
  response: http.IncomingMessage,
): AsyncGenerator<{ id: string; topic: unknown; value: unknown }> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    if (text.length > MAX_EVENT_LENGTH) throw new Error(`An event of the Server is too long: ${clip(text, 40)}`);
    for (const part of parts) {
      const fields = Object.fromEntries(part.split('\n').map(line => line.split(/: (.*)/s)));
      const { id = '', data } = fields as Record<string, string | undefined>;
      if (data === undefined) continue;
      const { topic, value } = fieldsOf(readJson(data));
      yield { id, topic, value };
    }
  }
}
