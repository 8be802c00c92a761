import type { PeerSocket } from '../office/session.ts';

/** How a relayed call ended. */
export type Outcome = 'answered' | 'refused' | 'timeout' | 'computer_lost' | 'agent_lost';

/** The fields by which a request is routed, and the tool that it calls. */
export interface Route {
  office: string;
  agent: string;
  computer: string;
  reqId: string;
  /** In milliseconds, with the slack. */
  timeout: number;
  tool: unknown;
}

/** A request that was forwarded to a Computer. */
export interface SentCall {
  readonly event: string;
  readonly route: Readonly<Pick<Route, 'office' | 'agent' | 'computer' | 'tool'>>;
  /** Of the request; characters for a peer that polls. */
  readonly bytes: number;
}

/** Records each call that ended, for operators. */
export interface CallObserver {
  /** @param code of the error that the Agent got @param bytes of the answer */
  ended(call: SentCall, outcome: Outcome, milliseconds: number, code: number | undefined, bytes: number): void;
  /** Records a request that was not forwarded. Its body is not checked. */
  refused(agent: PeerSocket, event: string, body: unknown, code: number): void;
}
