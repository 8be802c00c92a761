import { speaks } from '@a2c-smcp/protocol';

/**
 * The form of answers. `plain`, for Agents of protocol 0.2 and those that state no version: names of tools as they are,
 * configurations by name. `bundled`, from 0.3 on: names of tools begin with the `bundle_id`, which is also the key of a
 * configuration.
 */
export type Dialect = 'plain' | 'bundled';

/** The form that an Agent of this protocol version expects. */
export function dialectOf(version: string | null | undefined): Dialect {
  return speaks(version, '0.3') ? 'bundled' : 'plain';
}
