import { type Logger, within } from '@a2c-smcp/core';
import type {
  Client,
  ClientCapabilities,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
} from '@modelcontextprotocol/client';
import { readForm } from '../../questions/form.ts';
import type { Questions } from '../../questions/questions.ts';
import type { Asked, OpenCalls } from './open-calls.ts';

export interface ElicitationOptions {
  /** The name of the MCP server. */
  server: string;
  questions: Questions;
  logger: Logger;
}

/** MCP's three answers. `decline` is the no of a person; absence, time and the end of a call are `cancel`. */
type Outcome =
  | { action: 'accept'; content?: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' | 'cancel' };

/** Characters of what an MCP server writes for a person. */
const MAX_MESSAGE_LENGTH = 4000;
const MAX_URL_LENGTH = 8000;

/** The capability, for as long as there is a face that answers. */
export function elicitationCapability(questions: Questions): ClientCapabilities {
  const modes = (['form', 'url'] as const).filter(mode => questions.canAsk(mode));
  return modes.length > 0 ? { elicitation: Object.fromEntries(modes.map(mode => [mode, {}])) } : {};
}

/** Asks the questions of one MCP server, and withdraws them when its calls end. */
export function serveElicitation(client: Client, options: ElicitationOptions, calls: OpenCalls): void {
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }): Promise<Outcome> => {
    const { origin, signal } = calls.asked(mcpReq.signal);
    try {
      return await within(ask(params, { origin, signal }, options), { signal });
    } catch (error) {
      const { server, logger } = options;
      if (!signal.aborted) logger.warn('A question of an MCP server failed', { mcp_server: server, error });
      return { action: 'cancel' };
    }
  });
}

async function ask(
  params: ElicitRequestFormParams | ElicitRequestURLParams,
  { origin, signal }: Asked,
  { server, questions, logger }: ElicitationOptions,
): Promise<Outcome> {
  const message = params.message.slice(0, MAX_MESSAGE_LENGTH);
  if (params.mode === 'url') {
    if (!isWebAddress(params.url)) {
      logger.warn('An MCP server asked to open what is no web address', { mcp_server: server });
      return { action: 'cancel' };
    }
    const settlement = await questions.ask<'url'>({ kind: 'url', server, message, url: params.url, ...origin }, signal);
    return settlement.answer ?? { action: 'cancel' };
  }
  const fields = readForm(params.requestedSchema);
  if (!fields) {
    logger.warn('An MCP server asked with a form that MCP does not allow', { mcp_server: server });
    return { action: 'cancel' };
  }
  const settlement = await questions.ask<'form'>(
    { kind: 'form', server, message, schema: params.requestedSchema, fields, ...origin },
    signal,
  );
  // The form has checked each value against its field.
  return (settlement.answer as Outcome | undefined) ?? { action: 'cancel' };
}

/** Other schemes start programs. */
function isWebAddress(url: string): boolean {
  return url.length <= MAX_URL_LENGTH && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
