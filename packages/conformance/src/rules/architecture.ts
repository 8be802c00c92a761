import type { Requirement } from './requirement.ts';

/** Offices, their members, broadcasts and the routing of requests. */
export const architecture = {
  'transport.both': {
    source: 'connection.md#transport',
    rule: 'The protocol works over WebSocket and over HTTP long polling alike.',
    obeys: ['agent', 'server', 'computer'],
    done: true,
  },
  'transport.tls': {
    source: 'connection.md#transport',
    rule:
      'Both transports work over TLS, and a client connects only if the certificate of the Server is for the name in its ' +
      'address and issued by an authority that the client trusts.',
    obeys: ['agent', 'server', 'computer'],
    done: true,
  },
  'join.malformed': {
    source: 'offices.md#join',
    rule:
      'A join request that does not match EnterOfficeReq is answered with ' +
      '`false` and a plain sentence that carries no code.',
    obeys: ['server'],
    done: true,
  },
  'join.identity': {
    source: 'offices.md#join',
    rule: 'A session that has joined cannot join again with another role or another name.',
    obeys: ['server'],
    done: true,
  },
  'join.repeat': {
    source: 'offices.md#join',
    rule: 'A join of the office the session is already in answers `true, null` and broadcasts nothing.',
    obeys: ['server'],
    done: true,
  },
  'join.agent.exclusive': {
    source: 'offices.md#join',
    rule:
      'An office holds any number of Computers but one Agent, and a second Agent is ' +
      'refused with `false` and "Room already has an agent".',
    obeys: ['server'],
    done: true,
  },
  'join.agent.elsewhere': {
    source: 'offices.md#join',
    rule: 'An Agent that is in another office is refused until it has left that office.',
    obeys: ['server'],
    done: true,
  },
  'join.computer.moves': {
    source: 'offices.md#join',
    rule:
      'A Computer that joins another office first leaves the old one ' +
      'completely, which receives `notify:leave_office`.',
    obeys: ['server'],
    done: true,
  },
  'join.name': {
    source: 'offices.md#roles-and-names',
    rule:
      'A name is unique per office and role: a clash is refused, while the same ' +
      'name in another office or in the other role is accepted.',
    obeys: ['server'],
    done: true,
  },
  'join.atomic': {
    source: 'offices.md#join',
    rule: 'A refused join changes nothing: the session keeps its office, and no member receives a notification.',
    obeys: ['server'],
    done: true,
  },
  'leave.foreign': {
    source: 'offices.md#leave',
    rule: 'Leaving an office the session is not in answers `false` with "Not in room" and broadcasts nothing.',
    obeys: ['server'],
    done: true,
  },
  'leave.clears': {
    source: 'offices.md#leave',
    rule: 'Leaving frees the name and the place of the Agent, and the session can then join another office.',
    obeys: ['server'],
    done: true,
  },
  'disconnect.leaves': {
    source: 'offices.md#lost-connections',
    rule: 'A lost connection has the effects of a leave: the office receives `notify:leave_office` and the name is free.',
    obeys: ['server'],
    done: true,
  },
  'broadcast.audience': {
    source: 'offices.md#notifications',
    rule:
      'A broadcast reaches every member of the office except the one that ' +
      'caused it, and no peer outside the office.',
    obeys: ['server'],
    done: true,
  },
  'broadcast.update-guard': {
    source: 'offices.md#notifications',
    rule:
      'A `server:update_*` that does not come from a Computer in an office, or names ' +
      'another Computer, is dropped with a warning in the log.',
    obeys: ['server'],
    done: true,
  },
  'broadcast.cancel-guard': {
    source: 'offices.md#notifications',
    rule:
      'A `server:tool_call_cancel` that does not come from an Agent, or names ' +
      'another Agent, is dropped with a warning in the log.',
    obeys: ['server'],
    done: true,
  },
  'list-room.members': {
    source: 'offices.md#listing-members',
    rule:
      '`server:list_room` returns every session of the office, Agent and Computers, each with ' +
      '`sid`, `name`, `role`, `office_id` and the `a2c_version` it sent.',
    obeys: ['server'],
    done: true,
  },
  'list-room.foreign': {
    source: 'offices.md#listing-members',
    rule:
      '`server:list_room` for an office the caller is not in is answered with 4104, ' +
      'or with 4102 when that office has no session at all.',
    obeys: ['server'],
    done: true,
  },
  'routing.caller': {
    source: 'offices.md#routing',
    rule:
      'A `client:*` event is answered with 403 when its sender is not an Agent ' +
      'and with 4103 when its sender is in no office.',
    obeys: ['server'],
    done: true,
  },
  'routing.unknown-computer': {
    source: 'offices.md#routing',
    rule:
      'A Computer is looked up by name in the office of the Agent only, and an ' +
      'unknown one and one of another office give the same 404.',
    obeys: ['server'],
    done: true,
  },
  'routing.unchanged': {
    source: 'offices.md#routing',
    rule:
      'The request reaches the Computer unchanged, and its answer, be it a result ' +
      'or an error payload, reaches the Agent unchanged.',
    obeys: ['server'],
    done: true,
  },
  'routing.spoofing': {
    source: 'offices.md#routing',
    rule: 'A `client:*` event whose `agent` is not the name of the session is answered with 403.',
    obeys: ['server'],
    done: true,
  },
  'routing.duplicate': {
    source: 'offices.md#routing',
    rule:
      'A request whose `req_id` equals that of another request of the same ' +
      'Agent still pending is answered with 400.',
    obeys: ['server'],
    done: true,
  },
  'routing.timeout.tool-call': {
    source: 'offices.md#routing',
    rule:
      'A tool call that the Computer leaves unanswered is answered with 408 ' +
      'about 5 seconds after the `timeout` of the request.',
    obeys: ['server'],
    done: true,
  },
  'routing.timeout.get': {
    source: 'offices.md#routing',
    rule:
      'A `client:*` event other than a tool call that the Computer leaves ' +
      'unanswered is answered with 408 after 30 seconds by default.',
    obeys: ['server'],
    done: true,
  },
  'routing.computer-lost': {
    source: 'offices.md#routing',
    rule:
      'When the Computer disconnects during a request, the Agent gets 404 with ' +
      '`details.reason` "computer_disconnected" at once.',
    obeys: ['server'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
