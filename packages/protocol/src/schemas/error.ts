import * as z from 'zod/mini';

/** The body of an error in the dialect of 0.1, under `error`. */
const ErrorBody = z.looseObject({
  code: z.int(),
  message: z.string(),
  details: z.optional(z.record(z.string(), z.unknown())),
});

/** The error that an ack carries instead of an answer: flat and nested at once, so that every peer can read it. */
export const ErrorPayload = z.extend(ErrorBody, { error: ErrorBody });
export type ErrorPayload = z.infer<typeof ErrorPayload>;

/** The body of the HTTP 400 that refuses a handshake for its protocol version. Servers before 0.2.0 GA omit the range. */
export const VersionErrorBody = z.looseObject({
  code: z.literal(4008),
  message: z.string(),
  server_version: z.string(),
  client_version: z.string(),
  min_supported: z.optional(z.string()),
  max_supported: z.optional(z.string()),
});
export type VersionErrorBody = z.infer<typeof VersionErrorBody>;
