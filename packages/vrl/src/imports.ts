import { VrlRuntimeError } from './errors.ts';

export interface ModuleHost {
  memory(): WebAssembly.Memory;
  /** Called whenever the fuel is used up. Throws after the deadline. */
  tick(): void;
}

/** The functions that the module imports: a clock, the local timezone, random numbers, and reports of fatal errors. */
export function moduleImports({ memory, tick }: ModuleHost): WebAssembly.Imports {
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
        throw new VrlRuntimeError('The engine called a function that its host does not have', 'crash');
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
