/** Every code that may cross the wire, named once. */
export const ErrorCode = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  Timeout: 408,
  TooLarge: 413,
  TooManyRequests: 429,
  Internal: 500,

  // Tool results: carried in `meta.error_code` of a result, not as an error.
  ToolNotFound: 4001,
  ToolDisabled: 4002,
  ToolFailed: 4003,
  ToolTimeout: 4004,
  ConfirmationRequired: 4005,
  UpstreamAuthRequired: 4006,
  UpstreamAuthFailed: 4007,

  // The handshake, as the body of an HTTP 400.
  VersionMismatch: 4008,

  // Resources. The first three belong to later drafts; ours never sends them but names them for its readers.
  DpeResolverMissing: 4011,
  DpeAddressInvalid: 4012,
  DpeResolutionFailed: 4013,
  McpServerNotFound: 4014,
  McpCapabilityMissing: 4015,

  // Skills and blobs.
  InvalidSkillName: 4016,
  SkillFileNotAccessible: 4017,
  BlobNotAccessible: 4018,
  UploadFailed: 4019,

  // Offices.
  OfficeFull: 4101,
  OfficeNotFound: 4102,
  NotInOffice: 4103,
  CrossOfficeAccess: 4104,
  AgentElsewhere: 4106,

  // The Finder.
  DocumentNotFound: 4201,
  PageOutOfRange: 4202,
  ElementNotFound: 4203,
  InvalidDpeUri: 4204,
} as const;
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

const errorReasons = [
  /** The peer is connected but did not answer in time. */
  'timeout',
  /** The connection was lost before the answer. */
  'disconnected',
  /** The time was over before the peer had rejoined its office; nothing was sent. */
  'offline',
  /** No Server answers at the address. */
  'unreachable',
  /** The certificate of the Server is not trusted. */
  'untrusted',
  /** The office has another member of this name. */
  'name_taken',
  /** The office has an Agent. */
  'agent_present',
  /** The Computer left while the call was pending. */
  'computer_disconnected',
  /** The Computer does not know the request. */
  'unsupported',
  /** The nodes of the Server cannot reach each other. */
  'cluster_unavailable',
  /** The Redis of the Server refused the request. */
  'cluster_error',
] as const;

/** Why a request failed, where the code has several causes. On the wire it is `details.reason`. */
export type ErrorReason = (typeof errorReasons)[number];

export interface SmcpErrorOptions extends ErrorOptions {
  /** Facts for the log. They cross the wire: no secrets, no paths, no stacks. */
  details?: Record<string, unknown>;
}

/** An error that crosses the wire. Any other error is sent as a bare `Internal`. */
export class SmcpError extends Error {
  override readonly name = 'SmcpError';
  /** One of `ErrorCode`, or a number that a newer peer sent. */
  readonly code: number;
  readonly details?: Record<string, unknown>;

  constructor(code: number, message: string, { details, ...options }: SmcpErrorOptions = {}) {
    super(message, options);
    this.code = code;
    if (details !== undefined) this.details = details;
  }

  /** `details.reason`, if it is one that this package knows. */
  get reason(): ErrorReason | undefined {
    return errorReasons.find(reason => reason === this.details?.reason);
  }
}

/** A mistake in a configuration file. `path` is the field, as in `servers.files.server_parameters.command`. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly path: string;

  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(path === '' ? problem : `${path}: ${problem}`, options);
    this.path = path;
  }
}
