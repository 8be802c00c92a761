import type { JSONRPCMessage } from '@modelcontextprotocol/client';

const PATTERN = /^raw:(\d+):(.*)$/;

/**
 * The name under which to request a method so that its result comes back as the server sent it. The SDK checks
 * results of methods it knows against its own schemas, even where the caller brings one, and rejects a whole page for
 * one odd annotation. Under a name it does not know it leaves them alone; `asSent` restores the name on the way out.
 *
 * @param ticket tells the transport which request this is: the SDK keeps its own number for itself
 */
export function rawMethod(method: string, ticket: number): string {
  return `raw:${ticket}:${method}`;
}

/** The message with its method spelled as the other side knows it. */
export function asSent(message: JSONRPCMessage): JSONRPCMessage {
  const [, , method] = ('method' in message && PATTERN.exec(message.method)) || [];
  return method === undefined ? message : { ...message, method };
}

/** The ticket of a request, if it is one that was named by `rawMethod`. */
export function ticketOf(message: JSONRPCMessage): number | undefined {
  const [, ticket] = ('method' in message && PATTERN.exec(message.method)) || [];
  return ticket === undefined ? undefined : Number(ticket);
}
