import type { Socket } from 'socket.io';
import { expect } from '../check.ts';
import { ANSWER_MS, waitFor } from './wait.ts';

export type Payload = Record<string, unknown>;

/** A client under test, as the played Server sees it. */
export class PlayedConnection {
  readonly socket: Socket;
  /** Every event it sent, in order. */
  readonly heard: { event: string; payload: unknown; at: number }[] = [];
  /** Its request to join, if it has joined. */
  joined: { role?: unknown; name?: unknown; office_id?: unknown } | undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.onAny((event: string, payload: unknown) => this.heard.push({ event, payload, at: performance.now() }));
  }

  get isOpen(): boolean {
    return this.socket.connected;
  }

  get version(): string | undefined {
    const { a2c_version: version } = this.socket.handshake.query;
    return typeof version === 'string' ? version : undefined;
  }

  /** Sends an event and returns all arguments of its acknowledgement. */
  async ask(event: string, payload: unknown, milliseconds = ANSWER_MS): Promise<unknown[]> {
    const answer = await new Promise<unknown[] | undefined>(resolve => {
      const lost = () => resolve(undefined);
      this.socket.once('disconnect', lost);
      this.socket.timeout(milliseconds).emit(event, payload, (error: Error | null, ...args: unknown[]) => {
        this.socket.off('disconnect', lost);
        resolve(error ? undefined : args);
      });
    });
    const silence = this.isOpen ? `silence for ${milliseconds / 1000} s` : 'the end of the connection';
    expect(answer !== undefined, `an answer to ${event}`, silence);
    return answer;
  }

  notify(event: string, payload: unknown): void {
    this.socket.emit(event, payload);
  }

  /** How many events it has sent, for `next`. */
  get mark(): number {
    return this.heard.length;
  }

  /** The payload of the next event of this name that it sends after `mark`. */
  async next(event: string, mark: number, milliseconds?: number): Promise<unknown> {
    const found = await waitFor(() => this.heard.slice(mark).find(heard => heard.event === event), milliseconds);
    const seen = this.heard.slice(mark).map(heard => heard.event);
    expect(found !== undefined, `${event} from the peer`, seen.length === 0 ? 'nothing' : seen);
    return found.payload;
  }

  payloads(event: string, mark = 0): unknown[] {
    return this.heard.slice(mark).flatMap(heard => (heard.event === event ? [heard.payload] : []));
  }

  /** Breaks the connection without a farewell. */
  cut(): void {
    this.socket.conn.close();
  }
}
