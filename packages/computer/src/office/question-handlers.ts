import type { Handler } from '@a2c-smcp/core';
import { fitsMessage } from '@a2c-smcp/peer';
import { type ClientEvent, ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import type { SendQuestion } from '../questions/agent-face.ts';
import type { Runtime } from '../runtime.ts';
import { redactFields } from '../secrets/fields.ts';
import type { Membership } from './membership.ts';

/** Bytes of a form that is sent to an Agent; a larger one stays with the owner. */
const MAX_QUESTION_BYTES = 64 * 1024;

/** Sends the forms of one call to its Agent, without the secrets of this Computer. */
export function questionSender(reqId: string, membership: Membership, { secrets }: Runtime): SendQuestion {
  const { redact } = secrets;
  return ({ id, server, message, schema }) => {
    const { peer } = membership;
    if (!peer) return false;
    const texts = { message: redact(message), schema: redactFields(schema, redact) };
    const question = { computer: peer.name, req_id: reqId, question_id: id, mcp_server: server, ...texts };
    return fitsMessage(question, MAX_QUESTION_BYTES) && peer.emit('server:ask_question', question);
  };
}

/** Takes the answers of an Agent to what it was asked. */
export function serveAnswers(
  answer: <E extends ClientEvent>(event: E, handler: Handler<E>) => void,
  { agentFace, questions }: Runtime,
): void {
  answer('client:answer_question', async ({ agent, req_id, question_id, action, content = {} }) => {
    if (!agentFace.isAsked(agent, question_id)) return { accepted: false, req_id };
    try {
      const given = action === 'accept' ? { action, content } : { action };
      return { accepted: questions.answer(question_id, given, agentFace.name), req_id };
    } catch (error) {
      if (error instanceof TypeError) throw new SmcpError(ErrorCode.BadRequest, error.message);
      throw error;
    }
  });
}
