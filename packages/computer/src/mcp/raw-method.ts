import type { JSONRPCMessage } from '@modelcontextprotocol/client';

const PREFIX = 'raw:';

/**
 * The name under which to request a method so that its result comes back as the server sent it. The SDK checks
 * results of methods it knows against its own schemas, even where the caller brings one, and rejects a whole page for
 * one odd annotation. Under a name it does not know it leaves them alone; `asSent` restores the name on the way out.
 */
export function rawMethod(method: string): string {
  return PREFIX + method;
}

/** The message with its method spelled as the other side knows it. */
export function asSent(message: JSONRPCMessage): JSONRPCMessage {
  if (!('method' in message) || !message.method.startsWith(PREFIX)) return message;
  return { ...message, method: message.method.slice(PREFIX.length) };
}
