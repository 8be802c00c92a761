/** Milliseconds of a monotonic clock that all processes of a machine share. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
