import type { Logger } from '@a2c-smcp/core';
import {
  describeProblem,
  ErrorCode,
  type Role,
  SmcpError,
  signalEvents,
  speaks,
  toErrorPayload,
  UpdateComputerConfigReq,
} from '@a2c-smcp/protocol';
import type { Cluster } from '../cluster/cluster.ts';
import { tooLarge } from '../limits.ts';
import { errorAnswer, type Message, SharedEvent } from '../wire/channel.ts';
import { chargeBroadcast } from '../wire/rate.ts';
import { LATE_MS } from '../wire/ws.ts';
import type { Offices } from './offices.ts';
import type { PeerSocket } from './session.ts';

export interface NotifierOptions {
  offices: Offices<PeerSocket>;
  /** The other nodes, when there are several. */
  cluster?: Pick<Cluster, 'broadcast'> | undefined;
  logger: Logger;
}

/** The members of an office that a notification is for. */
export interface Audience {
  /** Only members of this role. @default every role */
  to?: Role | undefined;
  except?: PeerSocket | undefined;
}

/**
 * Members from which on an office gets its notifications together, at most `LATE_MS` late, while one follows another: when
 * a thousand members join, half a million notifications are to be written.
 */
const LARGE_OFFICE = 50;

/** Characters of a signal as JSON. It is sent to every member of an office. */
const MAX_SIGNAL_LENGTH = 64 * 1024;

/** The rule for signals of later versions of the protocol, such as `server:update_skills`. */
const LATER = { from: 'computer', payload: UpdateComputerConfigReq } as const;

/** True if an event is a signal, also one of a later version of the protocol: they all are called `update_…`. */
export function isSignal(event: string, forwardUnknown: boolean): boolean {
  return Object.hasOwn(signalEvents, event) || (forwardUnknown && /^server:update_\w{1,64}$/.test(event));
}

/** Notifies the members of offices of joins, leaves and signals. */
export class Notifier {
  readonly #options: NotifierOptions;
  /** Large offices that were notified a moment ago. */
  readonly #notified = new Set<string>();
  #forgetting?: NodeJS.Timeout | undefined;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** Notifies members of an office on all nodes. */
  notify(office: string, event: string, payload: object, { to, except }: Audience = {}): void {
    const json = Buffer.from(JSON.stringify([event, payload]));
    this.#options.cluster?.broadcast(office, json, to);
    this.deliver(office, json, { to, except });
  }

  /**
   * Notifies the members on this node. What another node sends is not parsed: it could be stringified there and exhaust
   * the stack here.
   */
  deliver(office: string, json: Buffer, { to, except }: Audience = {}): void {
    const { offices } = this.#options;
    const event = new SharedEvent(json);
    const mayWait = to !== 'agent' && offices.size(office) >= LARGE_OFFICE && this.#isBusy(office);
    offices.visit(office, ({ peer, role }) => {
      if (peer !== except && (to === undefined || role === to)) peer.data.channel?.sendShared(event, mayWait);
    });
  }

  /** True if the office was notified a moment ago. */
  #isBusy(office: string): boolean {
    const isBusy = this.#notified.has(office);
    this.#notified.add(office);
    this.#forgetting ??= setTimeout(() => {
      this.#forgetting = undefined;
      this.#notified.clear();
    }, LATE_MS).unref();
    return isBusy;
  }

  /**
   * Passes a `server:*` signal on to the sender's office as the `notify:*` of the same name. A signal is not answered; a
   * sender that asks for an acknowledgement all the same gets an empty one, or the error.
   */
  passSignal(socket: PeerSocket, event: string, { body, reply }: Message): void {
    const { offices, logger } = this.#options;
    try {
      const { from, to, payload: schema } = ruleOf(event);
      const payload = schema.safeParse(body);
      if (!payload.success) throw new SmcpError(ErrorCode.BadRequest, `${event}: ${describeProblem(payload.error)}`);
      const member = offices.member(socket);
      if (!member) throw new SmcpError(ErrorCode.NotInOffice, 'Join an office first');
      if (member.role !== from) {
        const sender = from === 'agent' ? 'an Agent' : 'a Computer';
        throw new SmcpError(ErrorCode.Forbidden, `Only ${sender} may send ${event}`);
      }
      const isOwnName = Reflect.get(payload.data, from) === member.name;
      if (!isOwnName && !speaks(socket.data.version, '0.5')) {
        throw new SmcpError(ErrorCode.Forbidden, `'${from}' must be '${member.name}', the name you joined with`);
      }
      if (!isOwnName) logger.warn('A signal names another sender', { event, sid: socket.id });
      const notification = isOwnName ? payload.data : { ...payload.data, [from]: member.name };
      const { length } = JSON.stringify(notification);
      if (length > MAX_SIGNAL_LENGTH) throw tooLarge(length, MAX_SIGNAL_LENGTH);
      chargeBroadcast(socket.data.allowance, to === 'agent' ? 1 : offices.size(member.office), length);
      this.notify(member.office, event.replace('server:', 'notify:'), notification, { to, except: socket });
      reply('[]');
    } catch (error) {
      const payload = toErrorPayload(error);
      logger.warn('A signal was dropped', { event, sid: socket.id, code: payload.code, reason: payload.message });
      reply(errorAnswer(error));
    }
  }
}

interface Rule {
  from: Role;
  to?: Role;
  payload: (typeof signalEvents)[keyof typeof signalEvents]['payload'];
}

function ruleOf(event: string): Rule {
  return Object.hasOwn(signalEvents, event) ? signalEvents[event as keyof typeof signalEvents] : LATER;
}
