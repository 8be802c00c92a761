import type { MCPServerPickStringInput, PickStringOption } from './schemas/inputs.ts';

/** The choices of an input as pairs. A text alone, the form of protocol 0.2, is its own label. */
export function pickOptions({ options }: MCPServerPickStringInput): PickStringOption[] {
  return options.map(option => (typeof option === 'string' ? { label: option, value: option } : option));
}
