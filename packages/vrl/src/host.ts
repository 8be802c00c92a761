import { VrlRuntimeError } from './errors.ts';

export interface Host {
  memory(): WebAssembly.Memory;
  /** Called whenever the fuel is used up. Throws when it is time to stop. */
  tick(): void;
}

/** What the module needs: a clock, the local timezone, random numbers, and someone to hear its last words. */
export function hostImports({ memory, tick }: Host): WebAssembly.Imports {
  const bytes = (address: number, length: number) => new Uint8Array(memory().buffer, address, length);
  return {
    host: {
      tick,
      out_of_memory() {
        throw new VrlRuntimeError('The program needs more memory than 64 MiB', 'memory');
      },
      panicked(address: number, length: number) {
        throw new VrlRuntimeError(`The engine crashed: ${new TextDecoder().decode(bytes(address, length))}`, 'crash');
      },
      unreachable() {
        throw new VrlRuntimeError('The engine asked for what its host does not have', 'crash');
      },

      now: () => new Date(),
      number: (value: number) => value,
      date: (milliseconds: number) => new Date(milliseconds),
      local_date: (...[year, month, day, hour, minute, second]: [number, number, number, number, number, number]) =>
        new Date(year, month, day, hour, minute, second),
      time: (date: Date) => date.getTime(),
      timezone_offset: (date: Date) => date.getTimezoneOffset(),
      random(address: number, length: number) {
        crypto.getRandomValues(bytes(address, length));
      },
    },
  };
}
