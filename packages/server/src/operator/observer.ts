import { clip, type Emitter, fieldsOf } from '@a2c-smcp/core';
import { clientEvents } from '@a2c-smcp/protocol';
import type { MemberInfo, RefusalInfo, ServerEvents } from '../office/roster.ts';
import type { CallObserver, Outcome, SentCall } from '../relay/call-observer.ts';
import { type CallCounts, countCall, noCalls } from './call-counts.ts';
import { Ring } from './ring.ts';
import type { CallRecord, MoveRecord, RefusalRecord } from './types.ts';

/** Calls that are remembered. */
const MAX_CALLS = 1000;
const MAX_MOVES = 500;
const MAX_REFUSALS = 500;
/** Seconds with calls that are remembered. */
const MAX_SECONDS = 300;
/** Addresses with refusals in one second. Those of more are counted without an address. */
const MAX_ADDRESSES = 20;
/** Characters of a name that a peer chose. */
const MAX_TEXT_LENGTH = 256;

/** The calls of one second, by event. */
export interface SecondCounts {
  /** When it began, in milliseconds since 1970. */
  at: number;
  events: Record<string, CallCounts>;
}

/** Where the office and the name of an Agent come from. */
type FindMember = (peer: Parameters<CallObserver['refused']>[0]) => { office: string; name: string } | undefined;

/** Records what happens on this node, in rings of fixed size. Recording a call costs less than a microsecond. */
export class Observer implements CallObserver {
  readonly calls = new Ring<CallRecord>(MAX_CALLS);
  readonly moves = new Ring<MoveRecord>(MAX_MOVES);
  readonly refusals = new Ring<RefusalRecord>(MAX_REFUSALS);
  readonly seconds = new Ring<SecondCounts>(MAX_SECONDS);
  #node = '';
  #findMember: FindMember = () => undefined;
  /** The second in progress. */
  #now: SecondCounts = { at: 0, events: {} };
  /** Its refusals, by reason and address. */
  #refusals = new Map<string, RefusalRecord>();

  /** Begins to record joins, leaves and refusals. @param node the name of this node in all records */
  watch(node: string, events: Emitter<ServerEvents>, findMember: FindMember): void {
    this.#node = node;
    this.#findMember = findMember;
    events.on('enter', member => this.#moved('enter', member));
    events.on('leave', member => this.#moved('leave', member));
    events.on('refuse', refusal => this.#rejected(refusal));
  }

  ended(call: SentCall, outcome: Outcome, milliseconds: number, code: number | undefined, bytes: number): void {
    const at = Date.now();
    const { event, route } = call;
    this.#count(at, event, outcome, milliseconds);
    // One literal with all fields: those that are undefined are not in its JSON.
    this.calls.push({
      at,
      node: this.#node,
      event,
      office: route.office,
      agent: route.agent,
      computer: short(route.computer),
      tool: typeof route.tool === 'string' ? short(route.tool) : undefined,
      outcome,
      code,
      ms: Math.round(milliseconds * 100) / 100,
      requestBytes: call.bytes,
      responseBytes: bytes,
    });
  }

  refused(agent: Parameters<CallObserver['refused']>[0], event: string, body: unknown, code: number): void {
    const { computer, tool_name: tool } = fieldsOf(body);
    const { office = '', name = '' } = this.#findMember(agent) ?? {};
    const route = { office, agent: name, computer: typeof computer === 'string' ? computer : '', tool };
    this.ended({ event, route, bytes: 0 }, 'refused', 0, code, 0);
  }

  /** Ends the second in progress if it is over. */
  roll(now = Date.now()): void {
    const at = now - (now % 1000);
    if (at === this.#now.at) return;
    if (Object.keys(this.#now.events).length > 0) this.seconds.push(this.#now);
    for (const refusal of this.#refusals.values()) this.refusals.push(refusal);
    this.#now = { at, events: {} };
    this.#refusals.clear();
  }

  #count(now: number, event: string, outcome: Outcome, milliseconds: number): void {
    this.roll(now);
    const { events } = this.#now;
    // Peers choose the names of events.
    const name = Object.hasOwn(clientEvents, event) ? event : 'other';
    events[name] ??= noCalls();
    countCall(events[name], outcome, milliseconds);
  }

  #moved(type: MoveRecord['type'], { inFlight: _, since: __, ...member }: MemberInfo): void {
    this.moves.push({ at: Date.now(), node: this.#node, type, ...member });
  }

  #rejected({ reason, address, message }: RefusalInfo): void {
    const at = Date.now();
    this.roll(at);
    const place = this.#refusals.size < MAX_ADDRESSES ? address : undefined;
    const known = this.#refusals.get(`${reason} ${address}`) ?? this.#refusals.get(`${reason} ${place}`);
    if (known) {
      known.count += 1;
      return;
    }
    this.#refusals.set(`${reason} ${place}`, {
      ...{ at, node: this.#node, reason, count: 1 },
      ...(place === undefined ? {} : { address: place }),
      ...(message === undefined ? {} : { message: short(message) }),
    });
  }
}

/** A copy of the beginning of a long text: a part of it would keep the whole in memory. */
function short(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : Buffer.from(clip(text, MAX_TEXT_LENGTH)).toString();
}
