import { type Answer, type MCPServerConfig, type PinSelection, verifyAudit } from '@a2c-smcp/computer';
import { diffLines, fieldsOf } from '@a2c-smcp/core';
import { ConfigError, parseComputerConfig } from '@a2c-smcp/protocol';
import { HttpError } from '../http/respond.ts';
import { type Api, routed } from '../http/routes.ts';
import type { OwnerDesk } from './desk.ts';
import type { OwnerFeed } from './feed.ts';
import { pictureOf } from './picture.ts';
import { SignIns } from './sign-ins.ts';
import { toolDetails, toolRows } from './tools.ts';
import { auditView, desktopView, finderView, inputRows, numberIn, serverDetails, serverRows } from './views.ts';

/** The name under which the page answers questions. */
export const CONSOLE_FACE = 'console';
const MAX_CALL_TIMEOUT_MS = 3_600_000;

/** The owner's API of a Computer: all that can be seen and done, as requests. */
export function ownerApi(desk: OwnerDesk, feed: Pick<OwnerFeed, 'about' | 'calls' | 'logs'>): Api {
  const { calls, logs } = feed;
  const { computer } = desk;
  const signIns = new SignIns(computer);
  return routed({
    'GET /about': () => feed.about,
    'GET /attention': () => computer.attention(),

    'GET /questions': () => computer.questions.open,
    'POST /questions/:id': ({ params: { id = '' }, body }) => answer(desk, id, body),

    'GET /servers': async () => serverRows(computer, await computer.memory()),
    'POST /servers': ({ body }) => addServer(desk, body),
    'GET /servers/:name': ({ params: { name = '' } }) => serverDetails(desk, name),
    'DELETE /servers/:name': ({ params: { name = '' } }) => removeServer(desk, name),
    'POST /servers/:name/start': ({ params: { name = '' } }) => startServer(desk, name),
    'POST /servers/:name/stop': ({ params: { name = '' } }) => computer.disableServer(name),
    'POST /servers/:name/restart': ({ params: { name = '' } }) => computer.restartServer(name),
    'POST /servers/:name/sign-in': ({ params: { name = '' } }) => useful(() => signIns.begin(name)),
    'POST /servers/:name/sign-in/paste': ({ params: { name = '' }, body }) =>
      useful(async () => signIns.paste(name, textOf(body, 'address'))),
    'DELETE /servers/:name/sign-in': ({ params: { name = '' } }) => signIns.cancel(name),
    'POST /servers/:name/sign-out': ({ params: { name = '' } }) => useful(() => computer.signOut(name)),
    'GET /servers/:name/log': ({ params: { name = '' }, query }) => logs.page(name, numberIn(query, 'after') ?? 0),

    'GET /tools': () => toolRows(computer),
    'GET /tools/:name': ({ params: { name = '' } }) => toolDetails(computer, name),
    'PUT /tools/:name/auto-apply': ({ params: { name = '' }, body }) => setAutoApply(desk, name, body),
    'POST /tools/:name/call': ({ params: { name = '' }, body, signal }) => callTool(desk, name, body, signal),

    'GET /calls': () => calls.list,
    'GET /calls/:id': ({ params: { id = '' } }) => calls.find(Number(id)) ?? missing(`There is no call '${id}'`),
    'DELETE /calls/:id': ({ params: { id = '' } }) => ({ cancelled: computer.cancelCall(Number(id)) }),

    'GET /desktop': ({ query }) => desktopView(computer, numberIn(query, 'size')),
    'GET /finder': ({ query }) => finderView(computer, query),
    'GET /document': ({ query }) => computer.readDocument(query.get('uri') ?? ''),
    'GET /picture': ({ query }) => pictureOf(computer, query.get('uri') ?? ''),
    'GET /skills': () => computer.skills(),

    'GET /policy': () => ({ rules: computer.policy }),
    'POST /policy/test': ({ body }) => explain(desk, body),
    'GET /pins': () => computer.consent.pins(),
    'POST /pins/accept': ({ body }) => ({ count: computer.consent.acceptPins(selectionOf(body)) }),
    'POST /pins/forget': ({ body }) => ({ count: computer.consent.forgetPins(selectionOf(body)) }),
    'GET /audit': ({ query }) => auditView(desk.auditFile, query),
    'GET /audit/verify': () => (desk.auditFile === undefined ? missing('No audit') : verifyAudit(desk.auditFile)),

    'GET /inputs': () => inputRows(computer),
    'PUT /inputs/:id': ({ params: { id = '' }, body }) => computer.setInput(id, textOf(body, 'value')),
    'DELETE /inputs/:id': ({ params: { id = '' } }) => computer.clearInput(id),

    'GET /config': () => computer.config,
    'GET /config/file': () => configurationOf(desk).read(),
    'POST /config/file/check': ({ body }) => checkConfig(desk, textOf(body, 'text')),
    'PUT /config/file': async ({ body }) => {
      await useful(() => configurationOf(desk).write(textOf(body, 'text'), textOf(body, 'sum')));
      await useful(() => computer.reloadConfig());
    },
  });
}

function answer({ computer }: OwnerDesk, id: string, body: unknown): { isSettled: boolean } {
  try {
    // Checked against the question by `answer` itself.
    return { isSettled: computer.questions.answer(id, body as Answer, CONSOLE_FACE) };
  } catch (error) {
    throw error instanceof TypeError ? new HttpError(400, error.message) : error;
  }
}

async function addServer({ computer, addServer: add }: OwnerDesk, body: unknown): Promise<unknown> {
  const { name } = fieldsOf(body);
  if (typeof name !== 'string' || name === '') throw new HttpError(400, "The configuration needs a 'name'");
  return useful(async () => {
    const { servers } = parseComputerConfig({ servers: { [name]: body } });
    const config = servers[name] as MCPServerConfig;
    return add ? add(config) : computer.addServer(config);
  });
}

async function removeServer({ computer, removeServer: remove }: OwnerDesk, name: string): Promise<void> {
  if (!computer.status().some(server => server.name === name)) missing(`There is no MCP server '${name}'`);
  await (remove ? remove(name) : computer.removeServer(name));
}

/** Starts a server that was stopped, and restarts any other. */
function startServer({ computer }: OwnerDesk, name: string): Promise<unknown> {
  const isDisabled = computer.status().some(server => server.name === name && server.state === 'disabled');
  return isDisabled ? computer.enableServer(name) : computer.restartServer(name);
}

async function setAutoApply({ computer, setAutoApply: set }: OwnerDesk, name: string, body: unknown): Promise<void> {
  const { value } = fieldsOf(body);
  if (typeof value !== 'boolean') throw new HttpError(400, "'value' must be true or false");
  if (!set) throw new HttpError(409, 'This Computer has no configuration file to write it into');
  const { server, originalTool: tool } = computer.consent.explain({ tool: name });
  await useful(() => set({ server, tool }, value));
}

function callTool({ computer }: OwnerDesk, tool: string, body: unknown, signal: AbortSignal): Promise<unknown> {
  const { params, timeout } = fieldsOf(body);
  const limit = typeof timeout === 'number' && timeout > 0 ? Math.min(timeout, MAX_CALL_TIMEOUT_MS) : undefined;
  return computer.callTool({
    tool,
    params: fieldsOf(params),
    signal,
    ...(limit === undefined ? {} : { timeout: limit }),
  });
}

function explain({ computer }: OwnerDesk, body: unknown): unknown {
  const { params, agent, office } = fieldsOf(body);
  return computer.consent.explain({
    tool: textOf(body, 'tool'),
    params: fieldsOf(params),
    ...(typeof agent === 'string' && agent !== '' ? { agent } : {}),
    ...(typeof office === 'string' && office !== '' ? { office } : {}),
  });
}

/** The lines that differ from the file, and why the text cannot be used, if so. */
async function checkConfig(desk: OwnerDesk, text: string): Promise<unknown> {
  const file = configurationOf(desk);
  const { text: before } = await file.read();
  const diff = diffLines(before, text);
  try {
    await file.check(text);
    return { diff };
  } catch (error) {
    return { diff, problem: error instanceof Error ? error.message : String(error) };
  }
}

function configurationOf({ configuration }: OwnerDesk) {
  return configuration ?? missing('This Computer has no configuration file');
}

function selectionOf(body: unknown): PinSelection {
  const { server, tool } = fieldsOf(body);
  return {
    ...(typeof server === 'string' ? { server } : {}),
    ...(typeof tool === 'string' ? { tool } : {}),
  };
}

function textOf(body: unknown, name: string): string {
  const { [name]: value } = fieldsOf(body);
  if (typeof value !== 'string') throw new HttpError(400, `'${name}' must be a text`);
  return value;
}

/** Runs something whose failure is a mistake of the person, and says so. */
async function useful<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ConfigError) throw new HttpError(400, error.message, { cause: error });
    if (error instanceof Error && !(error instanceof HttpError))
      throw new HttpError(409, error.message, { cause: error });
    throw error;
  }
}

function missing(message: string): never {
  throw new HttpError(404, message);
}
