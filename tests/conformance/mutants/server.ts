import { inFile } from './mutant.ts';

const server = 'packages/server/src';

/** Offices, routing and the handshake of a Server. */
export const serverMutants = [
  ...inFile(`${server}/office/offices.ts`, [
    ['join.identity', 'the role may change', 'if (bound !== role) throw', 'if (false) throw'],
    ['join.repeat', 'a repeated join is a new one', 'if (left === member) return { member, repeated: true };', ''],
    [
      'join.agent.elsewhere',
      'an Agent moves like a Computer',
      "if (current && role === 'agent') {",
      'if (false as boolean && current) {',
    ],
    [
      'join.name',
      'one name for both roles',
      "const occupant = role === 'agent' ? agent : computers?.get(name);",
      "const occupant = role === 'agent' ? (agent ?? computers?.get(name)) : computers?.get(name);",
    ],
    ['leave.foreign', 'any office is left', 'if (!member || member.office !== office) throw', 'if (!member) throw'],
    [
      'leave.clears',
      'the place of the Agent stays',
      "if (member.role === 'agent') office.agent = undefined;",
      "if (member.role === 'agent') office.agent = member;",
    ],
    ['names.legal', 'names of 1,000 characters', 'if (value.length > 256)', 'if (value.length > 1000)'],
  ]),
  ...inFile(`${server}/office/reception.ts`, [
    ['join.computer.moves', 'the old office is not told', 'if (left) await this.#depart(left);', ''],
    ['disconnect.leaves', 'nobody is told', 'if (this.#options.isOpen()) this.#announceLeave(member);', ''],
    [
      'list-room.members',
      'no version',
      '...(version === undefined ? {} : { a2c_version: version }) };\n}\n\n/** The peer',
      '};\n}\n\n/** The peer',
    ],
    [
      'list-room.foreign',
      '4102 is 4104',
      'if (size === 0) return new SmcpError(ErrorCode.OfficeNotFound',
      'if (size < 0) return new SmcpError(ErrorCode.OfficeNotFound',
    ],
    [
      'reconnect.takeover',
      'a return is announced',
      "if (!replaced) this.#notify(member, 'notify:enter_office');",
      "this.#notify(member, 'notify:enter_office');",
    ],
    ['line.0.5.leave', 'leaving twice is refused', 'if (!isTolerant || member)', 'if (true)'],
    [
      'event.notify.leave-office',
      'enter instead of leave',
      "this.#notify(member, 'notify:leave_office');",
      "this.#notify(member, 'notify:enter_office');",
    ],
  ]),
  ...inFile(`${server}/office/notice.ts`, [
    ['event.notify.enter-office', 'both keys have the name', 'computer: name }', 'computer: name, agent: name }'],
    ['notify.agent-version', 'no version', 'a2c_version', 'other_version'],
  ]),
  ...inFile(`${server}/relay/relay.ts`, [
    ['routing.caller', 'Computers may call', "if (member.role !== 'agent') throw", 'if (false) throw'],
    [
      'routing.unknown-computer',
      'another message',
      "`No computer '${route.computer}' in this office`",
      '`No computer of that name in this office`',
    ],
    ['routing.spoofing', 'any name is taken', 'if (request.agent !== member.name) {', 'if (false) {'],
    ['routing.duplicate', 'a req_id may be used twice', 'if (calls.has(reqId)) {', 'if (false) {'],
    [
      'routing.computer-lost',
      'calls wait for their timeout',
      "for (const id of [...(peer.data.serving ?? [])]) this.#fail(id, 'computer_lost', disconnected());",
      '',
    ],
    [
      'routing.unchanged',
      'a result is wrapped',
      '    reply(answer);\n  }\n\n  #replyError',
      '    reply(`[${answer.toString()}]`);\n  }\n\n  #replyError',
    ],
    [
      'error.bad-request',
      'a req_id may be a number',
      "if (typeof req_id !== 'string') throw malformed(event, 'req_id: expected string');",
      '',
    ],
    [
      'log.hops',
      'carried errors are not logged',
      'const error = agent && errorIn(answer);',
      'const error = undefined as SmcpError | undefined;',
    ],
    [
      'ack.originator-gone',
      'the Computer is told',
      "for (const id of [...(peer.data.calls?.values() ?? [])]) this.#settle(id, 'agent_lost');",
      "for (const id of [...(peer.data.calls?.values() ?? [])])\n      this.#settle(id, 'agent_lost')?.computer?.emit('notify:tool_call_cancel' as never, { agent: 'a1', req_id: 'r1' } as never);",
    ],
  ]),
  ...inFile(`${server}/relay/dispatch.ts`, [
    [
      'forward.unknown',
      'events of later versions are refused',
      "forwardUnknown ? event.startsWith('client:') :",
      "false ? event.startsWith('client:') :",
    ],
    ['ack.pair', 'one argument', "return speaks(data.version, '0.5') ? 'flat' : 'pair';", "return 'flat';"],
    ['line.0.5.acks', 'pairs for all', "return speaks(data.version, '0.5') ? 'flat' : 'pair';", "return 'pair';"],
    ['limits.rate', 'no limit', "if (verdict === 'accepted') {", 'if (true) {'],
  ]),
  ...inFile(`${server}/http/gate.ts`, [
    ['version.missing.refused', 'admitted', 'return required ? {', 'return false as boolean ? {'],
    [
      'version.mismatch',
      'no range',
      'return { ...versionErrorBody(given, newest), min_supported };',
      'return { code: ErrorCode.VersionMismatch, message: `${min_supported}` };',
    ],
    [
      'version.accept-lines',
      'every line is served',
      'if (versions.some(version =>',
      'if (true || versions.some(version =>',
    ],
  ]),
  ...inFile('packages/core/src/rpc.ts', [
    [
      'ack.always',
      'an unknown error is not answered',
      'reply(...refusalOf(event, error, acks));',
      'if (error instanceof SmcpError) reply(...refusalOf(event, error, acks));',
    ],
    ['ack.req-id.check', 'any echo is taken', 'sent !== undefined && echoed !== undefined && sent !== echoed', 'false'],
  ]),
];
