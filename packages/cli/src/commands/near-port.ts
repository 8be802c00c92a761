import { fieldsOf } from '@a2c-smcp/core';

/** Ports after the first one that are tried. */
const MAX_ATTEMPTS = 20;

/** Listens at a port, or at the next one that is free. 0 takes any. */
export async function listenNear<T>(port: number, listen: (port: number) => Promise<T>): Promise<T> {
  for (let candidate = port; ; candidate++) {
    try {
      return await listen(candidate);
    } catch (error) {
      const isTaken = fieldsOf(error).code === 'EADDRINUSE';
      if (!isTaken || port === 0 || candidate >= port + MAX_ATTEMPTS) throw error;
    }
  }
}
