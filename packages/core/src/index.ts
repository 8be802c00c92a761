export { type BackoffOptions, backoff } from './backoff.ts';
export {
  asText,
  clip,
  DEFAULT_MESSAGE_LIMIT,
  fieldsOf,
  fitsMessage,
  isObject,
  isTooDeep,
  type Json,
  MAX_ARGUMENTS,
  MAX_NESTING_DEPTH,
  messageSize,
  parseJson,
  parseMessage,
  partSize,
  readJson,
  sizeOf,
  tooDeep,
  tooLarge,
} from './bounds.ts';
export { countdown, limitSignal, pause, type SettleOptions, settle, within } from './deadline.ts';
export { Debouncer, type DebouncerOptions } from './debouncer.ts';
export { type DiffLine, diffLines } from './diff-lines.ts';
export {
  asAbortSignal,
  Emitter,
  type EmitterOptions,
  Interruption,
  type ListenOptions,
  onAbort,
  onAny,
  type StopSignal,
} from './emitter.ts';
export { EventReader, type EventWriter } from './event-reader.ts';
export { type FrameHead, readHead, writeHead } from './frame.ts';
export { given } from './given.ts';
export { Limiter } from './limiter.ts';
export { guardLogger, type Logger, silentLogger } from './logger.ts';
export { PendingCalls, type PendingCallsOptions } from './pending-calls.ts';
export { formIn, queryTerms, spaceCjk } from './query-terms.ts';
export {
  type AckShape,
  answer,
  type Caller,
  type CallOptions,
  call,
  type Handler,
  type Listenable,
  type Reply,
  refusalOf,
  replyIn,
  reqIdOf,
  type ServeOptions,
  serve,
} from './rpc.ts';
export { SerialQueue } from './serial-queue.ts';
export { frameText, packetText, type Trace, type TracedFrame, traceFromEnvironment } from './trace.ts';
export { VERSION } from './version.ts';
