import { within } from '@a2c-smcp/core';
import {
  type Client,
  type CreateMessageRequestParams,
  type CreateMessageResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import type { CallOrigin } from '../../questions/question.ts';
import type { OpenCalls } from './open-calls.ts';

/** The MCP server that asks for a completion, and the tool call it asks for, if that is known. */
export interface SampleContext extends Partial<CallOrigin> {
  server: string;
  /** Fires when the completion is not needed any more. */
  signal: AbortSignal;
}

/** Asks a model on behalf of an MCP server (sampling). The server sees the message of what it throws. */
export type Sample = (request: CreateMessageRequestParams, context: SampleContext) => Promise<CreateMessageResult>;

/** Completions of one MCP server at a time: each may cost money. */
const MAX_CONCURRENT = 4;

/** Answers the requests of one MCP server for completions. */
export function serveSampling(client: Client, sample: Sample, { server, calls }: { server: string; calls: OpenCalls }) {
  let pending = 0;
  client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq }) => {
    if (pending >= MAX_CONCURRENT) {
      const message = `${MAX_CONCURRENT} completions are pending for this MCP server already: wait for one of them`;
      throw new ProtocolError(ProtocolErrorCode.InternalError, message);
    }
    const { origin, signal } = calls.asked(mcpReq.signal);
    pending += 1;
    try {
      return await within(sample(params, { server, signal, ...origin }), { signal });
    } finally {
      pending -= 1;
    }
  });
}
