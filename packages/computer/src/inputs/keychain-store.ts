import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { hashOf } from '../config/origin.ts';
import { exclusively } from './lock-file.ts';
import { preparePrivateFolder } from './private-file.ts';
import type { InputStore } from './store.ts';

const PROBE = 'probe';

/** Keeps values in the operating system's keychain. Rejects at once where there is none or it is locked. */
export async function keychainStore(service = 'a2c-smcp'): Promise<InputStore> {
  const { AsyncEntry } = await import('@napi-rs/keyring').catch(cause => {
    throw new Error('No keychain: the optional package @napi-rs/keyring is not installed', { cause });
  });
  const entry = (id: string) => new AsyncEntry(service, id);
  const store: InputStore = {
    async get(id) {
      return (await entry(id).getPassword()) ?? undefined;
    },
    async set(id, value) {
      await entry(id).setPassword(value);
    },
    async delete(id) {
      await entry(id).deletePassword();
    },
    async exclusively(id, work) {
      const name = `keychain-${hashOf(`${service} ${id}`).slice(0, 32)}.lock`;
      const file = join(tmpdir(), `a2c-smcp-${userInfo().uid}`, name);
      await preparePrivateFolder(file);
      return exclusively(file, work);
    },
  };
  try {
    // Some keychains can be read but not written, so only a round trip proves that they work.
    await store.set(PROBE, PROBE);
    await store.delete(PROBE);
  } catch (cause) {
    throw new Error('The keychain of this machine cannot be used: choose fileStore or memoryStore', { cause });
  }
  return store;
}
