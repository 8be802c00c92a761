import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request to the operator API. */
export interface OperatorRequest {
  method: string;
  /** Below `/api/v1`, as in `/offices`. */
  path: string;
  query: URLSearchParams;
}

/** The operator API of a Server, for a console in front of it. */
export interface OperatorAccess {
  /** Answers a request, or throws an `SmcpError` whose code is the status. */
  api(request: OperatorRequest): Promise<unknown>;
  /** The stream of `/api/v1/events`. */
  events: { connect(request: IncomingMessage, response: ServerResponse): Promise<void> };
  /** Throws an `SmcpError` unless a request has the key of an operator in its header. */
  authorize(request: IncomingMessage): boolean;
}

/** Answers a request, or returns false when it is for another path. */
export type OperatorHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * The pages of a console and the sessions of browsers, as `operatorConsole` of `@a2c-smcp/console` makes them. Answers all
 * requests below `/api/` too.
 */
export type OperatorConsole = (access: OperatorAccess) => OperatorHandler;
