import { join } from 'node:path';
import { fileStore, type InputStore, keychainStore, memoryStore } from '@a2c-smcp/computer';
import type { OptionSpecs } from '../../command.ts';
import { userFolder } from '../config/location.ts';

/** Stores for answers to questions: until the process ends, encrypted in a file, or in the keychain. */
export const STORES = ['memory', 'file', 'keychain'] as const;
export type StoreKind = (typeof STORES)[number];

/** The option for the store, which `openStore` opens. */
export const storeOption = {
  store: {
    type: 'string',
    value: STORES.join('|'),
    default: 'memory',
    env: 'A2C_STORE',
    summary: 'Where answers are stored',
  },
} as const satisfies OptionSpecs;

export async function openStore(kind: StoreKind, env: Record<string, string | undefined>): Promise<InputStore> {
  if (kind === 'memory') return memoryStore();
  if (kind === 'file') return fileStore(join(userFolder(env), 'inputs'));
  try {
    return await keychainStore();
  } catch (cause) {
    throw new Error('The keychain of this machine cannot be used: choose --store file', { cause });
  }
}
