/**
 * True if a run only shows that everything works, with a little of each and one round. Its figures mean nothing. A
 * variable of the environment, so that processes of the benchmark know it too.
 */
export const isQuick = process.env.A2C_BENCH_QUICK === '1';

/** The number of things, rounds or milliseconds of a run, or that of a quick one. */
export function unlessQuick(usual: number, quick: number): number {
  return isQuick ? quick : usual;
}
