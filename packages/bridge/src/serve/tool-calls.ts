import type { CallAnswer, CallQuestion } from '@a2c-smcp/agent';
import { isObject, type Json } from '@a2c-smcp/core';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { AnsweredCall } from '../answered-call.ts';
import type { Office, OfficeCall, OfficeResult } from '../office.ts';
import { errorResult } from '../tools/results.ts';
import { type ProgressParams, ProgressStream } from './progress-stream.ts';

/** The key of the one answer that a client is asked for at a time. */
const FORM = 'form';
/** A person may think about a form for as long; the call itself ends sooner in most cases. */
const FORM_TIMEOUT_MS = 600_000;

/** Runs tools for a client. Forms of MCP servers are shown to its user if the client declares that it can do that. */
export function serveToolCalls(server: Server, office: Office): void {
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { signal, _meta, notify, envelope } = context.mcpReq;
    const call = { name: params.name, args: params.arguments };
    // The connection may be gone; then its end cancels the call.
    const send = (report: ProgressParams) =>
      void notify({ method: 'notifications/progress', params: report }).catch(() => {});
    using progress = _meta?.progressToken === undefined ? undefined : new ProgressStream(_meta.progressToken, send);
    const reporting = progress && { onProgress: progress.report };
    const finish = ({ result, outputSchema }: OfficeResult) => server.projectCallToolResult(result, outputSchema);
    if (envelope === undefined) {
      const asking = showsForms(server.getClientCapabilities()) && { onQuestion: pushed(context) };
      return finish(await office.call({ ...call, signal, ...reporting, ...asking }));
    }
    if (!showsForms((envelope as Json)[CLIENT_CAPABILITIES_META_KEY])) {
      return finish(await office.call({ ...call, signal, ...reporting }));
    }
    const running = runningCall(office, { ...call, ...reporting }, context);
    if (!running) return finish({ result: errorResult('The call that this answer belongs to is over') });
    const step = await running.next(signal);
    if ('outcome' in step) return finish(step.outcome);
    const form = inputRequired.elicit(formOf(step.question));
    return inputRequired({ inputRequests: { [FORM]: form }, requestState: office.suspended.put(running) });
  });
}

/** A new call, or the one that the client answers with this request; undefined if that is over. */
function runningCall(office: Office, call: Omit<OfficeCall, 'signal'>, { mcpReq }: ServerContext) {
  const state = mcpReq.requestState();
  if (typeof state !== 'string') return new AnsweredCall(options => office.call({ ...call, ...options }));
  const running = office.suspended.take(state);
  running?.answer(answerOf(mcpReq.inputResponses?.[FORM]));
  return running;
}

/** Asks a client of an earlier revision in the middle of its request. */
function pushed({ mcpReq }: ServerContext) {
  return async (question: CallQuestion, { signal }: { signal: AbortSignal }): Promise<CallAnswer> =>
    answerOf(await mcpReq.elicitInput(formOf(question), { signal, timeout: FORM_TIMEOUT_MS }));
}

function formOf({ server, message, schema }: CallQuestion): ElicitRequestFormParams {
  // The Computer has checked that it is a form of MCP.
  const requestedSchema = schema as ElicitRequestFormParams['requestedSchema'];
  return { mode: 'form', message: `${server}: ${message}`, requestedSchema };
}

/** A malformed answer counts as a `cancel`. The Computer checks the values. */
function answerOf(given: unknown): CallAnswer {
  const { action, content } = isObject(given) ? given : {};
  if (action === 'accept') return { action, content: isObject(content) ? content : {} };
  return { action: action === 'decline' ? 'decline' : 'cancel' };
}

export function showsForms(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities.elicitation : undefined;
  // An empty object means forms.
  return isObject(elicitation) && ('form' in elicitation || !('url' in elicitation));
}
