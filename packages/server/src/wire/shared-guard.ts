import type { Socket as Connection } from 'engine.io';
import { type Guard, setGuard } from './connection-guard.ts';
import type { Allowance } from './rate.ts';

/**
 * The guard of a connection that belongs to the Socket.IO server of the host program, and may be used by other namespaces.
 * Its owner bounds bytes and connections; here events are counted, and packets of `/smcp` are taken.
 */
export class SharedGuard implements Guard {
  readonly address: string;
  readonly version: string | undefined;
  readonly allowance: Allowance;
  channel?: Guard['channel'];

  constructor(
    connection: Connection,
    { address, version, eventsPerSecond }: { address: string; version: string | undefined; eventsPerSecond: number },
  ) {
    this.address = address;
    this.version = version;
    this.allowance = { tokens: eventsPerSecond, at: performance.now(), excess: 0 };
    setGuard(connection, this);
    // After Socket.IO's own listener, which finds no handler for events of the namespace.
    connection.on('data', packet => {
      if (typeof packet === 'string') this.channel?.takePacket(packet);
    });
  }

  admitted(channel: NonNullable<Guard['channel']>): void {
    this.channel = channel;
  }

  refused(): void {}

  left(): void {
    this.channel?.close();
    this.channel = undefined;
  }

  /** Engine.IO does not expose it. */
  get backlog(): number {
    return 0;
  }

  onBacklog(): void {}
}
