import type { Requirement } from './requirement.ts';

/** Authentication, the version handshake and reconnecting. */
export const connection = {
  'connect.path': {
    source: 'connection.md#transport',
    rule: 'The HTTP path is configurable, and the version check of the Server follows the configured path.',
    obeys: ['agent', 'server', 'computer'],
    done: true,
  },
  'auth.provider': {
    source: 'connection.md#admission',
    rule:
      'A pluggable authentication function decides on each connection to the ' +
      'namespace; a refusal is error 401 and a warning in the log.',
    obeys: ['server'],
    done: true,
  },
  'auth.refused': {
    source: 'connection.md#admission',
    rule: 'A client whose credentials are refused fails with an error that says so.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'auth.default-provider': {
    source: 'connection.md#admission',
    rule:
      'The default provider compares a secret with a header, by default `x-api-key` ' +
      'in any letter case, and refuses a connection without it.',
    obeys: ['server'],
    done: true,
  },
  'auth.carrier': {
    source: 'connection.md#admission',
    rule:
      'The caller chooses the name of the credential and whether it travels in ' +
      'the Socket.IO `auth` object or in an HTTP header.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'auth.role': {
    source: 'connection.md#admission',
    rule:
      'The Server ignores `auth.role`, and our clients do not send it; the ' +
      'role comes from `server:join_office` alone.',
    obeys: ['agent', 'server', 'computer'],
    done: true,
  },
  'auth.function': {
    source: 'connection.md#admission',
    rule: 'Credentials that are a function are asked for at every connection, and a failure of it is error 401.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'auth.no-mcp-secrets': {
    source: 'connection.md#admission',
    rule: 'Credentials of MCP servers and resolved inputs never appear in the `auth` object.',
    obeys: ['computer'],
    done: true,
  },
  'version.sent': {
    source: 'connection.md#version-negotiation',
    rule: 'Clients send the query `a2c_version` with the newest version they know, unless `protocolVersion` names another.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'version.client.auto': {
    source: 'connection.md#version-negotiation',
    rule:
      'When the Server refuses the newest version, a client takes the best line that both know from the refusal, ' +
      'connects once more with it, and keeps it for reconnects.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'version.lines': {
    source: 'connection.md#lines',
    rule: 'Members of all lines share an office, and each is answered in the shape of its own line.',
    obeys: ['server'],
    done: true,
  },
  'line.0.5.acks': {
    source: 'connection.md#lines',
    rule: 'To a client of 0.5 a join or a leave that succeeds is answered without arguments.',
    obeys: ['server'],
    done: true,
  },
  'line.0.5.leave': {
    source: 'connection.md#lines',
    rule: 'A client of 0.5 may leave twice, and the office that it names does not matter.',
    obeys: ['server'],
    done: true,
  },
  'line.0.5.errors': {
    source: 'connection.md#lines',
    rule:
      'To a client of 0.5 a refused join is an error payload: 400, 403, 4101 with office and role, or 4106 with the ' +
      'office it is in; and the members of another office are 4104.',
    obeys: ['server'],
    done: true,
  },
  'line.0.5.identity': {
    source: 'connection.md#lines',
    rule: 'A signal of a client of 0.5 in another name is passed on under its own.',
    obeys: ['server'],
    done: true,
  },
  'line.any-ack': {
    source: 'connection.md#client-behaviour',
    rule:
      'A client takes a join that is answered with a pair, one array, no argument or null for a success, and an error ' +
      'payload for a refusal with its code, whatever line was agreed.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'office.computers': {
    source: 'connection.md#lines',
    rule: 'A Server with `computersPerOffice` refuses one Computer more with 4101, in the shape of its line.',
    obeys: ['server'],
    done: true,
  },
  'version.missing.admitted': {
    source: 'connection.md#refused-versions',
    rule: 'A connection without `a2c_version` is admitted by default.',
    obeys: ['server'],
    done: true,
  },
  'version.missing.refused': {
    source: 'connection.md#refused-versions',
    rule:
      'With `requireVersion` a connection without `a2c_version` is refused with HTTP ' +
      '400, code 400 and "Missing a2c_version query parameter".',
    obeys: ['server'],
    done: true,
  },
  'version.malformed': {
    source: 'connection.md#refused-versions',
    rule:
      'A version such as `abc` is always refused with HTTP 400, code 400 and a ' +
      'message that starts with "Invalid a2c_version".',
    obeys: ['server'],
    done: true,
  },
  'version.mismatch': {
    source: 'connection.md#refused-versions',
    rule:
      'A mismatch is HTTP 400 with the header `X-A2C-Error-Code: 4008` and the flat JSON fields `code`, ' +
      '`message`, `server_version`, `client_version`, `min_supported` and `max_supported`.',
    obeys: ['server'],
    done: true,
  },
  'version.patch': {
    source: 'connection.md#compatible-versions',
    rule: 'The patch number is free: clients of 0.2.0 and of 0.2.1 are accepted by a Server of 0.2.0.',
    obeys: ['protocol', 'server'],
    done: true,
  },
  'version.minor': {
    source: 'connection.md#compatible-versions',
    rule:
      'Under major 0 the minor numbers must be equal: 0.2.0 at a Server of 0.3.0 ' +
      'and 0.3.0 at one of 0.2.0 are refused with 4008.',
    obeys: ['protocol', 'server'],
    done: true,
  },
  'version.major': {
    source: 'connection.md#compatible-versions',
    rule: 'The major numbers must be equal: a client of 1.0.0 at a Server of 0.2.0 is refused with 4008.',
    obeys: ['protocol', 'server'],
    done: true,
  },
  'version.stable': {
    source: 'connection.md#compatible-versions',
    rule:
      'From major 1 the minor of the client may not exceed that of the Server: 1.0.0 at ' +
      '1.2.0 is accepted, 1.2.0 at 1.0.0 is refused with 4008.',
    obeys: ['protocol', 'server'],
    done: true,
  },
  'version.accept-lines': {
    source: 'connection.md#compatible-versions',
    rule: 'The Server accepts all lines that it knows, 0.2 to 0.5, or the MAJOR.MINOR lines named in `acceptVersions`.',
    obeys: ['server'],
    done: true,
  },
  'version.websocket': {
    source: 'connection.md#refused-versions',
    rule:
      'A client that connects by WebSocket only is admitted with a good version and ' +
      'refused with the same HTTP 400 before the upgrade with a bad one.',
    obeys: ['server'],
    done: true,
  },
  'version.before-handlers': {
    source: 'connection.md#version-negotiation',
    rule:
      'The version is checked before any Socket.IO handler runs, so a connect ' +
      'handler that throws does not affect the check.',
    obeys: ['server'],
    done: true,
  },
  'version.client.error': {
    source: 'connection.md#client-behaviour',
    rule:
      'On 4008, whether the body comes as object, JSON text or bytes, a client disconnects, does not retry ' +
      'and throws error 4008 with both versions and the supported range.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'version.client.polling-first': {
    source: 'connection.md#transport',
    rule: 'The first handshake of a client uses HTTP polling unless the caller asks for another transport.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'version.client.close-4900': {
    source: 'connection.md#client-behaviour',
    rule:
      'On WebSocket close code 4900 a client does not reconnect, tries polling once to learn ' +
      'the 4008 body, and else throws a version error without details.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'reconnect.rejoin': {
    source: 'connection.md#reconnect',
    rule: 'After every reconnect a client joins its office again by itself, with backoff while the join is refused.',
    obeys: ['agent', 'computer'],
    done: true,
  },
  'reconnect.takeover': {
    source: 'connection.md#reconnect',
    rule:
      'A join with the office, role, name and `auth.instance_id` of a stale session replaces that ' +
      'session at once, closes its socket and broadcasts no leave or enter.',
    obeys: ['agent', 'server', 'computer'],
    done: true,
  },
  'reconnect.stranger': {
    source: 'connection.md#reconnect',
    rule: 'A join with a taken name and no or another `instance_id` is refused while the old session lives.',
    obeys: ['server'],
    done: true,
  },
  'reconnect.replace': {
    source: 'connection.md#reconnect',
    rule:
      'Extension: a first join with `auth.replace` takes the place of a session of the same identity, and the office ' +
      'is told of the leave before it is told of the enter.',
    obeys: ['server'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
