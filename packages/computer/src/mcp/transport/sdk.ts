import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

// Relies on inner workings of @modelcontextprotocol/client 2.4, and is the only file that does.

const RAW_METHOD = /^raw:(\d+):(.*)$/;

/**
 * The name under which to request a method so that its result comes back as the server sent it. The SDK checks
 * results of methods it knows against its own schemas, even where the caller brings one, and rejects a whole page for
 * one odd annotation. It passes results of unknown methods through; `asSent` restores the name on the way out.
 *
 * @param ticket identifies the request for the transport: the SDK does not show its own number
 */
export function rawMethod(method: string, ticket: number): string {
  return `raw:${ticket}:${method}`;
}

/** The message with its method spelled as the other side knows it. */
export function asSent(message: JSONRPCMessage): JSONRPCMessage {
  const [, , method] = ('method' in message && RAW_METHOD.exec(message.method)) || [];
  return method === undefined ? message : { ...message, method };
}

/** The ticket of a request that was named by `rawMethod`. */
export function ticketOf(message: JSONRPCMessage): number | undefined {
  const [, ticket] = ('method' in message && RAW_METHOD.exec(message.method)) || [];
  return ticket === undefined ? undefined : Number(ticket);
}

/** Has the SDK probe a transport as one of a local process, which it takes for one with the fields `stderr` and `pid`. */
export function markAsProcess(transport: Transport & { pid?: number | undefined }): void {
  Object.defineProperty(transport, 'stderr', { value: null });
}

/**
 * Passes every message of one of the SDK's transports through `check`; one that it returns undefined for is dropped.
 * Must be called before `connect`, during which the SDK assigns the listener.
 */
export function checkMessages(
  transport: Transport,
  check: (message: JSONRPCMessage) => JSONRPCMessage | undefined,
): void {
  let listener: Transport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    get: () => listener,
    set: (given: Transport['onmessage']) => {
      listener =
        given &&
        ((message, extra) => {
          const checked = check(message);
          if (checked) given(checked, extra);
        });
    },
  });
}
