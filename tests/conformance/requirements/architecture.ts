import type { Requirement } from './requirement.ts';

/** Offices, their members, broadcasts and the routing of requests. */
export const architecture = {
  'transport.both': {
    source: 'S4 §Transport',
    rule: 'The protocol works over WebSocket and over HTTP long polling alike.',
    obeys: ['agent', 'server', 'computer'],
    done: true,
  },
  'join.malformed': {
    source: 'spec §5.1, §4.2',
    rule:
      'A join request that does not match EnterOfficeReq is answered with ' +
      '`false` and a plain sentence that carries no code.',
    obeys: ['server'],
    done: true,
  },
  'join.identity': {
    source: 'spec §5.1',
    rule: 'A session that has joined cannot join again with another role or another name.',
    obeys: ['server'],
    done: true,
  },
  'join.repeat': {
    source: 'spec §5.1',
    rule: 'A join of the office the session is already in answers `true, null` and broadcasts nothing.',
    obeys: ['server'],
    done: true,
  },
  'join.agent.exclusive': {
    source: 'S3 §server:join_office, S4 §Room model',
    rule:
      'An office holds any number of Computers but one Agent, and a second Agent is ' +
      'refused with `false` and "Room already has an agent".',
    obeys: ['server'],
    done: true,
  },
  'join.agent.elsewhere': {
    source: 'spec §5.1',
    rule: 'An Agent that is in another office is refused until it has left that office.',
    obeys: ['server'],
    done: true,
  },
  'join.computer.moves': {
    source: 'S3 §server:join_office, S4 §Room model',
    rule:
      'A Computer that joins another office first leaves the old one ' +
      'completely, which hears `notify:leave_office`.',
    obeys: ['server'],
    done: true,
  },
  'join.name': {
    source: 'spec §5.1, §13',
    rule:
      'A name is unique per office and role: a clash is refused, while the same ' +
      'name in another office or in the other role is accepted.',
    obeys: ['server'],
    done: true,
  },
  'join.atomic': {
    source: 'spec §5.1',
    rule: 'A refused join changes nothing: the session keeps its office, and nobody receives a broadcast.',
    obeys: ['server'],
    done: true,
  },
  'leave.foreign': {
    source: 'spec §5.2',
    rule: 'Leaving an office the session is not in answers `false` with "Not in room" and broadcasts nothing.',
    obeys: ['server'],
    done: true,
  },
  'leave.clears': {
    source: 'S4 §Name mapping, spec §5.2',
    rule: 'Leaving frees the name and the place of the Agent, and the session can then join another office.',
    obeys: ['server'],
    done: true,
  },
  'disconnect.leaves': {
    source: 'S4 §Name mapping, spec §5.3',
    rule: 'A lost connection has the effects of a leave: the office hears `notify:leave_office` and the name is free.',
    obeys: ['server'],
    done: true,
  },
  'broadcast.audience': {
    source: 'S2 §Server, S4 §Room model, spec §5.4',
    rule:
      'A broadcast reaches every member of the office except the one that ' +
      'caused it, and nobody outside the office.',
    obeys: ['server'],
    done: true,
  },
  'broadcast.update-guard': {
    source: 'spec §5.4',
    rule:
      'A `server:update_*` that does not come from a Computer in an office, or names ' +
      'another Computer, is dropped with a warning in the log.',
    obeys: ['server'],
    done: true,
  },
  'broadcast.cancel-guard': {
    source: 'spec §5.4',
    rule:
      'A `server:tool_call_cancel` that does not come from an Agent, or names ' +
      'another Agent, is dropped with a warning in the log.',
    obeys: ['server'],
    done: true,
  },
  'list-room.members': {
    source: 'S3 §server:list_room, spec §2.3, §5.5',
    rule:
      '`server:list_room` returns every session of the office, Agent and Computers, each with ' +
      '`sid`, `name`, `role`, `office_id` and the `a2c_version` it sent.',
    obeys: ['server'],
    done: true,
  },
  'list-room.foreign': {
    source: 'spec §4.2, §5.5',
    rule:
      '`server:list_room` for an office the caller is not in is answered with 4104, ' +
      'or with 4102 when that office has no session at all.',
    obeys: ['server'],
    done: true,
  },
  'routing.caller': {
    source: 'spec §5.6',
    rule:
      'A `client:*` event is answered with 403 when its sender is not an Agent ' +
      'and with 4103 when its sender is in no office.',
    obeys: ['server'],
    done: true,
  },
  'routing.unknown-computer': {
    source: 'S2 §Server, S4 §Routing, spec §5.6',
    rule:
      'A Computer is looked up by name in the office of the Agent only, and an ' +
      'unknown one and one of another office give the same 404.',
    obeys: ['server'],
    done: true,
  },
  'routing.unchanged': {
    source: 'S4 §Routing, spec §3',
    rule:
      'The request reaches the Computer unchanged, and its answer, be it a result ' +
      'or an error payload, reaches the Agent unchanged.',
    obeys: ['server'],
    done: true,
  },
  'routing.spoofing': {
    source: 'spec §5.6',
    rule: 'A `client:*` event whose `agent` is not the name of the session is answered with 403.',
    obeys: ['server'],
    done: true,
  },
  'routing.duplicate': {
    source: 'spec §12 G4',
    rule:
      'A request whose `req_id` equals that of another request of the same ' +
      'Agent still under way is answered with 400.',
    obeys: ['server'],
    done: true,
  },
  'routing.timeout.tool-call': {
    source: 'spec §5.6',
    rule:
      'A tool call that the Computer leaves unanswered is answered with 408 ' +
      'about 5 seconds after the `timeout` of the request.',
    obeys: ['server'],
    done: true,
  },
  'routing.timeout.get': {
    source: 'spec §5.6',
    rule:
      'A `client:*` event other than a tool call that the Computer leaves ' +
      'unanswered is answered with 408 after 30 seconds by default.',
    obeys: ['server'],
    done: true,
  },
  'routing.computer-lost': {
    source: 'spec §3',
    rule:
      'When the Computer disconnects during a request, the Agent gets 404 with ' +
      '`details.reason` "computer_disconnected" at once.',
    obeys: ['server'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
