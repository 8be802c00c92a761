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
      'if (!replaced) this.#announceEnter(member);',
      'this.#announceEnter(member);',
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
    ['event.notify.enter-office', 'both keys have the name', '[role]: name, ...', 'agent: name, computer: name, ...'],
    ['notify.agent-version', 'no version', 'a2c_version', 'other_version'],
  ]),
  ...inFile(`${server}/office/notifier.ts`, [
    [
      'event.server.update-finder',
      'broadcast as update_desktop',
      "event.replace('server:', 'notify:')",
      "event.replace('server:', 'notify:').replace('finder', 'desktop')",
    ],
    [
      'event.notify.update-finder',
      'broadcast as update_desktop',
      "event.replace('server:', 'notify:')",
      "event.replace('server:', 'notify:').replace('finder', 'desktop')",
    ],
    [
      'event.notify.update-desktop',
      'broadcast as update_finder',
      "event.replace('server:', 'notify:')",
      "event.replace('server:', 'notify:').replace('desktop', 'finder')",
    ],
    [
      'event.notify.update-config',
      'broadcast as update_tool_list',
      "event.replace('server:', 'notify:')",
      "event.replace('server:', 'notify:').replace('config', 'tool_list')",
    ],
    [
      'event.notify.update-tool-list',
      'broadcast as update_config',
      "event.replace('server:', 'notify:')",
      "event.replace('server:', 'notify:').replace('tool_list', 'config')",
    ],
    [
      'event.notify.tool-call-cancel',
      'without its data',
      'const notification = isOwnName ? payload.data :',
      "const notification = event.endsWith('cancel') ? {} : isOwnName ? payload.data :",
    ],
    ['progress.audience', 'all members are told', ' && (to === undefined || role === to)) peer', ') peer'],
    ['broadcast.audience', 'the sender is told', 'if (peer !== except && (', 'if (('],
    ['broadcast.update-guard', 'any name', "if (!isOwnName && !speaks(socket.data.version, '0.5')) {", 'if (false) {'],
    ['broadcast.cancel-guard', 'Computers may cancel', 'if (member.role !== from) throw', 'if (false) throw'],
    [
      'line.0.5.identity',
      'passed on as it is',
      'isOwnName ? payload.data : { ...payload.data, [from]: member.name }',
      'payload.data',
    ],
  ]),
  ...inFile(`${server}/hub.ts`, [
    ['office.computers', 'any number', 'maxComputers: options.computersPerOffice', 'maxComputers: 1_000_000'],
  ]),
  ...inFile(`${server}/office/admission.ts`, [
    ['reconnect.replace', 'nobody is replaced', 'fieldsOf(auth).replace === true', 'fieldsOf(auth).replace === 7'],
    ['auth.provider', 'a refusal admits', 'next(refusal);', 'next();'],
    [
      'reconnect.stranger',
      'all clients are one',
      'instanceId: asInstanceId(fieldsOf(auth).instance_id)',
      "instanceId: 'same'",
    ],
  ]),
  ...inFile(`${server}/auth/api-keys.ts`, [
    [
      'auth.default-provider',
      'any key',
      'known.filter(candidate => timingSafeEqual(candidate.digest, given))',
      'known.filter(() => given !== undefined && timingSafeEqual !== undefined)',
    ],
  ]),
  ...inFile(`${server}/office/offices.ts`, [
    [
      'join.agent.exclusive',
      'two Agents',
      "const occupant = role === 'agent' ? agent : computers?.get(name);",
      'const occupant = computers?.get(name);',
    ],
    [
      'join.atomic',
      'a refused join leaves the office',
      'const member = this.check(peer, request);\n    const left',
      'const before = this.#members.get(peer);\n    if (before && before.office !== request.office_id) this.#remove(before);\n    const member = this.check(peer, request);\n    const left',
    ],
    ['office.size', 'no limit', 'if (this.size(office) >= maxMembers) throw', 'if (false) throw'],
  ]),
  ...inFile(`${server}/relay/relay.ts`, [
    ['calls.pending-limit', 'no limit', 'if (calls.size >= callsPerAgent) {', 'if (false) {'],
    [
      'transport.both',
      'polling is not answered',
      '    reply(answer);\n',
      "    if (agent?.conn.transport.name !== 'polling') reply(answer);\n",
    ],
    ['cluster.one-server', 'Computers of other nodes are unknown', 'if (!computer && !remote)', 'if (!computer)'],
  ]),
  ...inFile(`${server}/relay/relay.ts`, [
    ['routing.caller', 'Computers may call', "if (member.role !== 'agent') throw", 'if (false) throw'],
    [
      'routing.unknown-computer',
      'a Computer of any office is found',
      'offices.computer(route.office, route.computer)?.peer',
      'offices.all().find(({ name }) => name === route.computer)?.peer',
    ],
    ['routing.spoofing', 'any name is taken', 'if (request.agent !== member.name) {', 'if (false) {'],
    ['routing.duplicate', 'a req_id may be used twice', 'if (calls.has(reqId)) {', 'if (false) {'],
    [
      'routing.computer-lost',
      'calls wait for their timeout',
      "for (const id of [...(peer.data.serving ?? [])]) this.#fail(id, 'computer_lost', disconnected());",
      '',
    ],
    ['routing.unchanged', 'a result is wrapped', '    reply(answer);\n', '    reply(`[${answer.toString()}]`);\n'],
    [
      'error.bad-request',
      'a req_id may be a number',
      "if (typeof req_id !== 'string') throw malformed(event, 'req_id: expected string');",
      '',
    ],
    ['log.hops', 'carried errors are not logged', 'if (code !== undefined) {', 'if (code === 0) {'],
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
    [
      'version.before-handlers',
      'handlers come first',
      "if (problem) return { status: 400, reason: 'version'",
      "if (problem && !problem) return { status: 400, reason: 'version'",
    ],
    ['version.missing.admitted', 'refused', 'return required ? {', 'return true ? {'],
    [
      'version.websocket',
      'upgrades are not checked',
      "if (request.method === 'OPTIONS' ||",
      "if (request.method === 'OPTIONS' || request.headers.upgrade !== undefined ||",
    ],
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
    ['ack.nothing', 'an empty object is malformed', 'isEmpty(value) ? LOST_ERROR : ', ''],
    [
      'line.any-ack',
      'null is no success',
      'if (ok === undefined || ok === null) return',
      'if (ok === undefined) return',
    ],
    [
      'ack.always',
      'an unknown error is not answered',
      'reply(...refusalOf(event, error, acks));',
      'if (error instanceof SmcpError) reply(...refusalOf(event, error, acks));',
    ],
    [
      'join.malformed',
      'an error payload',
      "return acks === 'pair' && answersWithPair(event) ? [false, payload.message] : [payload];",
      'return [payload];',
    ],
    ['ack.req-id.check', 'any echo is taken', 'sent !== undefined && echoed !== undefined && sent !== echoed', 'false'],
  ]),
  ...inFile(`${server}/limits.ts`, [
    ['limits.message', 'one MiB by default', 'messageBytes: 16 * 1024 * 1024', 'messageBytes: 1024 * 1024'],
    [
      'line.0.5.errors',
      'another code',
      "is called '${name}'`;\n  return new SmcpError(ErrorCode.OfficeFull",
      "is called '${name}'`;\n  return new SmcpError(ErrorCode.Forbidden",
    ],
  ]),
  ...inFile(`${server}/office/reception.ts`, [
    ['event.server.list-room', 'no req_id', 'return { sessions, req_id };', "return { sessions, req_id: '' };"],
    [
      'event.server.leave-office',
      'no answer with a pair',
      'return [true, null];\n    });',
      "return [true, 'left'];\n    });",
    ],
    [
      'event.server.join-office',
      'a reason for a success',
      'replaced: !!replaced });\n    return [true, null];',
      "replaced: !!replaced });\n    return [true, 'joined'];",
    ],
  ]),
  ...inFile(`${server}/relay/relay.ts`, [
    [
      'event.client.get-tools',
      'sent to all',
      "if (computer) computer.data.channel?.send(writeHead('event', id), json);",
      "for (const { peer } of offices.membersOf(route.office)) if (peer !== agent) peer.data.channel?.send(writeHead('event', id), json);",
    ],
    [
      'event.client.get-dpe',
      'not answered',
      '    reply(answer);\n',
      "    if (event !== 'client:get_dpe') reply(answer);\n",
    ],
    [
      'event.client.get-resources',
      'not answered',
      '    reply(answer);\n',
      "    if (event !== 'client:get_resources') reply(answer);\n",
    ],
    [
      'event.client.get-prompts',
      'not answered',
      '    reply(answer);\n',
      "    if (event !== 'client:get_prompts') reply(answer);\n",
    ],
    [
      'event.client.get-prompt',
      'not answered',
      '    reply(answer);\n',
      "    if (event !== 'client:get_prompt') reply(answer);\n",
    ],
    [
      'event.client.tool-call',
      'not answered',
      '    reply(answer);\n',
      "    if (event !== 'client:tool_call') reply(answer);\n",
    ],
  ]),
  ...inFile(`${server}/relay/dispatch.ts`, [
    [
      'version.lines',
      'the form of the oldest line for all',
      "return speaks(data.version, '0.5') ? 'flat' : 'pair';",
      "return 'pair';",
    ],
  ]),
];
