import { ErrorCode } from '@a2c-smcp/protocol';

/** Every code in a few sentences: the cause, then what to do. `docs/reference/errors.md` has the same texts. */
const explanations = new Map<number, string>([
  [ErrorCode.BadRequest, 'The request is malformed; the message names the field. Correct the caller.'],
  [
    ErrorCode.Unauthorized,
    'The Server does not accept the credentials, or there are none. Send a key as `x-api-key` (`--key`), a token as `Authorization: Bearer` (`--token`), or the fields that your Server expects in `auth` (`--auth`) and `headers` (`--header`).',
  ],
  [
    ErrorCode.Forbidden,
    'The credentials are valid, but not for this request: they are for another role, office or name, the name is taken in the office, or the event belongs to the other role. The message says which. With reason `name_taken` another member of the office has the name.',
  ],
  [
    ErrorCode.NotFound,
    "The office has no Computer of that name, the resource does not exist, or there is no Server at the URL's path. With reason `computer_disconnected` the Computer left while the call was pending; it usually reconnects.",
  ],
  [
    ErrorCode.Timeout,
    'No answer in time. The reason is `unreachable`: no Server at the address; `untrusted`: its certificate is not trusted (`--ca`, `ca`); `offline`: our own connection was lost for too long; `disconnected`: it was lost before the answer; `timeout`: the other side did not answer. A tool that is slow is 4004 instead.',
  ],
  [
    ErrorCode.TooLarge,
    "The message exceeds the limit of the Server; `details` has both sizes. The result of a tool that is too large is a failed result with 4003 and both sizes in its `meta` instead. Ask for less (a page, an element, a smaller picture), or raise the Server's `messageBytes`.",
  ],
  [
    ErrorCode.TooManyRequests,
    "Too many calls at once, events per second or connections. Wait for answers before sending more; the limits are the Server's `callsPerAgent`, `eventsPerSecond`, `connections` and `connectionsPerAddress`.",
  ],
  [
    ErrorCode.Internal,
    'The other side failed unexpectedly, or its answer was invalid. Its log has the cause. A Server of several nodes has two reasons of its own: `cluster_unavailable`, the nodes cannot reach each other for the moment, so retry; `cluster_error`, its Redis refused this request.',
  ],
  [ErrorCode.ToolNotFound, 'The Computer has no such tool. List its tools again: they may have changed.'],
  [ErrorCode.ToolDisabled, "The tool exists, but the Computer's owner forbids it or has disabled its MCP server."],
  [
    ErrorCode.ToolFailed,
    'The MCP server could not run the tool, or ended during the call. The text has the reason. A tool that ran and reports a failure has `isError` without a code.',
  ],
  [
    ErrorCode.ToolTimeout,
    "The tool exceeded the timeout of the call and was cancelled. Give it more time (`timeout`, `--timeout`). If the text says that it waits for the owner's confirmation, the tool did not run: the owner was asked and did not answer in time.",
  ],
  [
    ErrorCode.ConfirmationRequired,
    'The Computer\'s owner declined, could not be asked, or has a rule that denies the call; the text says which. The owner can set `auto_apply` in the `tool_meta` of the tool, answer "always", or change the rule.',
  ],
  [
    ErrorCode.UpstreamAuthRequired,
    "The MCP server requires that the Computer's owner signs in first: `a2c computer sign-in NAME`. `authHintOf(result)` is a sentence to show to a person. A server that takes a key instead gets it in its `headers`.",
  ],
  [
    ErrorCode.UpstreamAuthFailed,
    "The MCP server does not accept what the Computer was granted: it has expired, was withdrawn or does not cover the call, and the owner signs in again with `a2c computer sign-in NAME`. Or the credentials in the Computer's configuration are wrong.",
  ],
  [
    ErrorCode.VersionMismatch,
    "Client and Server speak different versions of the protocol. `details` has both and the range the Server supports. Install a package that speaks the Server's version.",
  ],
  [
    ErrorCode.DpeResolverMissing,
    'Part of later drafts of the protocol; never sent by these packages. The Computer cannot resolve this kind of document.',
  ],
  [
    ErrorCode.DpeAddressInvalid,
    'Part of later drafts of the protocol; never sent by these packages. The address of a document is malformed.',
  ],
  [
    ErrorCode.DpeResolutionFailed,
    'Part of later drafts of the protocol; never sent by these packages. The document could not be opened.',
  ],
  [ErrorCode.McpServerNotFound, 'The Computer has no MCP server of that name. `getConfig` lists them.'],
  [ErrorCode.McpCapabilityMissing, 'The MCP server lacks the capability that the request needs, such as resources.'],
  [ErrorCode.InvalidSkillName, 'The name of a skill is malformed. Take it from `client:get_skills`; it is opaque.'],
  [
    ErrorCode.SkillFileNotAccessible,
    "A file of a skill cannot be read. `details.reason`: `traversal` for a path that leaves the skill's folder, `forbidden` for one that is never served, `not_found`, `too_large`, `unavailable` when its MCP server does not give it.",
  ],
  [
    ErrorCode.BlobNotAccessible,
    'Bytes behind a handle cannot be read. `details.reason`: `gone` when the handle has expired, so that a new one is needed from what gave it; `invalid_handle`, `forbidden`, `range`.',
  ],
  [
    ErrorCode.UploadFailed,
    'A file could not be sent to the Computer. `details.reason`: `forbidden` when its owner does not accept uploads, `busy` when too many are in progress, `too_large`, `io_error` when the disk is full; the others are faults of the sender.',
  ],
  [
    ErrorCode.OfficeFull,
    'The office already has an Agent; it can have one only. Close the other, or use another office. On the command line every `a2c agent` command is the Agent while it runs; `--wait SECONDS` waits for the seat.',
  ],
  [ErrorCode.OfficeNotFound, 'There is no such office. Offices exist while they have members.'],
  [ErrorCode.NotInOffice, 'The request needs an office: join one first. Also thrown after the connection was closed.'],
  [ErrorCode.CrossOfficeAccess, 'The request concerns an office that the sender is not a member of.'],
  [ErrorCode.AgentElsewhere, 'The Agent is a member of another office. It must leave that one first.'],
  [ErrorCode.DocumentNotFound, 'No MCP server of the Computer has the document. The Finder lists all documents.'],
  [
    ErrorCode.PageOutOfRange,
    'The document has fewer pages. They are counted from 0; `page_count` in the document says how many.',
  ],
  [
    ErrorCode.ElementNotFound,
    'The document has no element of that id. Ids change when the document does; read the page again.',
  ],
  [
    ErrorCode.InvalidDpeUri,
    'The URI breaks a rule of `dpe://` addresses; `details.uri` has it and the message names the rule.',
  ],
]);

/** The cause of an error, and what to do. */
export function explanationOf(code: number): string {
  return explanations.get(code) ?? 'a code of a newer version of the protocol, or of another Server';
}

/** All codes with their names. */
export const errorCodes: readonly { code: number; name: string }[] = Object.entries(ErrorCode).map(([name, code]) => ({
  code,
  name,
}));
