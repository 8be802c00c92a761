import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { SerialQueue } from '@a2c-smcp/core';
import * as z from 'zod';
import { createPrivateFile, preparePrivateFolder, readPrivateFile, replacePrivateFile } from './private-file.ts';
import type { InputStore } from './store.ts';

export interface FileStoreOptions {
  /**
   * Encrypts the file. Without one, a random key is kept beside it in `<path>.key`: that protects backups and copies
   * of the file alone, not against a reader of both.
   */
  passphrase?: string | undefined;
}

/** How often, and after how many milliseconds, a key is read again that another process is writing. */
const KEY_ATTEMPTS = 20;
const KEY_RETRY_MS = 50;

const Sealed = z.object({
  version: z.literal(1),
  salt: z.string(),
  nonce: z.string(),
  tag: z.string(),
  data: z.string(),
});
const Values = z.record(z.string(), z.string());
type Values = z.infer<typeof Values>;

/**
 * Keeps values in a file encrypted with AES-256-GCM that only its owner may read. Rejects when other users have access to
 * the file or its key, or could replace them.
 */
export async function fileStore(path: string, { passphrase }: FileStoreOptions = {}): Promise<InputStore> {
  await preparePrivateFolder(path);
  const secret = passphrase ?? (await keyBeside(path));
  const values = await read(path, secret);
  const writes = new SerialQueue();
  const save = () => writes.run(() => write(path, values, secret));
  return {
    async get(id) {
      return values.get(id);
    },
    async set(id, value) {
      values.set(id, value);
      await save();
    },
    async delete(id) {
      if (values.delete(id)) await save();
    },
  };
}

async function keyBeside(path: string): Promise<string> {
  const file = `${path}.key`;
  const key = randomBytes(32).toString('base64');
  if (await createPrivateFile(file, key)) return key;
  // Of two processes that come first, one makes the key and both use it; it may still be about to write it.
  for (let attempt = 0; attempt < KEY_ATTEMPTS; attempt++) {
    const found = await readPrivateFile(file);
    if (found) return found;
    await delay(KEY_RETRY_MS);
  }
  throw new Error(`The key of the stored inputs in '${file}' is empty: remove it and '${path}'`);
}

async function read(path: string, secret: string): Promise<Map<string, string>> {
  const text = await readPrivateFile(path);
  if (text === undefined) return new Map();
  try {
    return new Map(Object.entries(unseal(text, secret)));
  } catch (cause) {
    throw new Error(`The stored inputs in '${path}' cannot be read: wrong passphrase or key, or a damaged file`, {
      cause,
    });
  }
}

function write(path: string, values: Map<string, string>, secret: string): Promise<void> {
  return replacePrivateFile(path, seal(Object.fromEntries(values), secret));
}

function seal(values: Values, secret: string): string {
  const salt = randomBytes(16);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', scryptSync(secret, salt, 32), nonce);
  const data = Buffer.concat([cipher.update(JSON.stringify(values), 'utf8'), cipher.final()]);
  const texts = { salt, nonce, tag: cipher.getAuthTag(), data };
  const encoded = Object.fromEntries(Object.entries(texts).map(([key, bytes]) => [key, bytes.toString('base64')]));
  return JSON.stringify({ version: 1, ...encoded });
}

function unseal(text: string, secret: string): Values {
  const { salt, nonce, tag, data } = Sealed.parse(JSON.parse(text));
  const key = scryptSync(secret, Buffer.from(salt, 'base64'), 32);
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64'));
  decipher.setAuthTag(Buffer.from(tag, 'base64'));
  const plain = Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]);
  return Values.parse(JSON.parse(plain.toString('utf8')));
}
