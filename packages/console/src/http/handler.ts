import type { IncomingMessage, ServerResponse } from 'node:http';
import { fieldsOf, type Logger, silentLogger } from '@a2c-smcp/core';
import type { EventFeed } from './event-feed.ts';
import { refusalOf } from './guard.ts';
import { HttpError, readBody, refuse, refuseWith, sendAnswer, sendJson } from './respond.ts';
import type { Api } from './routes.ts';
import { cookieHeader, type Sessions } from './sessions.ts';
import type { Site } from './site.ts';

export interface ConsoleHandlerOptions {
  /** Requests below `/api/v1`, but for `/api/v1/events`. */
  api: Api;
  events: Pick<EventFeed, 'connect'>;
  files: Site;
  sessions: Sessions;
  /** The origins under which the console is reached. Requests with any other `Host` are refused. */
  origins: () => readonly string[];
  /** The path of the pages. @default '/' */
  base?: string;
  /** True if a program may use the API by its `Authorization` header. @default none may */
  authorize?: (request: IncomingMessage) => boolean | Promise<boolean>;
  logger?: Logger;
}

/** Answers a request, or returns false when its path is none of the console's. */
export type ConsoleHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

const API = '/api/v1';
const SESSION = '/api/session';

/** The pages of a console and its API, for any `http` server. Everything is refused that its own pages cannot have sent. */
export function consoleHandler(options: ConsoleHandlerOptions): ConsoleHandler {
  const { base = '/', logger = silentLogger } = options;
  return (request, response) => {
    const path = (request.url ?? '/').split(/[?#]/, 1)[0] ?? '/';
    const isOwn = path.startsWith(base) || path.startsWith('/api/') || `${path}/` === base;
    if (!isOwn) return false;
    answer(path, request, response, options).catch(error => {
      if (response.headersSent) response.destroy();
      else if (!refuseWith(response, error)) logger.error('A request to the console failed', { path, error });
    });
    return true;
  };
}

async function answer(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  options: ConsoleHandlerOptions,
): Promise<void> {
  const { base = '/', files, sessions, origins, authorize } = options;
  // No page can send a header with credentials that it does not know, so that programs may come under any name.
  const isProgram = authorize && path.startsWith(`${API}/`) && request.headers.authorization !== undefined;
  const refusal = isProgram ? undefined : refusalOf(request, origins());
  if (refusal) return refuse(response, refusal.status, refusal.message);
  if (path === SESSION) return answerSession(request, response, sessions);
  if (path === `${SESSION}/address`) return answerAddress(request, response, options);
  if (path.startsWith(`${API}/`)) return answerApi(path.slice(API.length), request, response, options);
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new HttpError(405, 'Pages can only be read');
  if (`${path}/` === base) return void response.writeHead(308, { location: base }).end();
  files.serve(path.slice(base.length), request, response);
}

/** A browser exchanges the token of its address for a cookie that no script can read. */
async function answerSession(request: IncomingMessage, response: ServerResponse, sessions: Sessions): Promise<void> {
  if (request.method === 'DELETE') {
    sessions.end(request);
    return sendJson(response, undefined, { 'set-cookie': cookieHeader(request, '') });
  }
  if (request.method !== 'POST') throw new HttpError(405, `'${SESSION}' takes POST and DELETE`);
  const { token } = fieldsOf(await readBody(request));
  const secret = typeof token === 'string' ? sessions.exchange(token) : undefined;
  if (secret === undefined) throw new HttpError(401, 'This address was used already, or is not of this console');
  sendJson(response, undefined, { 'set-cookie': cookieHeader(request, secret) });
}

/** A page that is signed in gets an address for another browser. */
async function answerAddress(
  request: IncomingMessage,
  response: ServerResponse,
  { sessions, base = '/' }: ConsoleHandlerOptions,
): Promise<void> {
  if (request.method !== 'POST') throw new HttpError(405, `'${SESSION}/address' takes POST`);
  await readBody(request);
  if (!sessions.has(request)) throw new HttpError(401, 'Open the address that the console printed');
  sendJson(response, { address: `${request.headers.origin}${base}#token=${sessions.issue()}` });
}

async function answerApi(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  { api, events, sessions, authorize }: ConsoleHandlerOptions,
): Promise<void> {
  const isProgram = request.headers.authorization !== undefined;
  const isAllowed = isProgram ? await authorize?.(request) : sessions.has(request);
  if (isAllowed !== true) throw new HttpError(401, 'Open the address that the console printed');
  const { method = 'GET' } = request;
  if (path === '/events') {
    if (method !== 'GET') throw new HttpError(405, `'${path}' does not take ${method}`);
    return events.connect(request, response);
  }
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const query = new URL(request.url ?? '/', 'http://console').searchParams;
  const body = await readBody(request);
  sendAnswer(response, await api({ method, path, query, body, signal: gone.signal }));
}
