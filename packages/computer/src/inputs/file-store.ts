import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import type { InputStore } from './store.ts';

export interface FileStoreOptions {
  /**
   * Encrypts the file. Without one, a random key is kept beside it in `<path>.key`: that protects backups and copies
   * of the file alone, not against somebody who can read both.
   */
  passphrase?: string;
}

const Sealed = z.object({
  version: z.literal(1),
  salt: z.string(),
  nonce: z.string(),
  tag: z.string(),
  data: z.string(),
});
const Values = z.record(z.string(), z.string());
type Values = z.infer<typeof Values>;

/** Keeps values in a file encrypted with AES-256-GCM that only its owner may read. */
export async function fileStore(path: string, { passphrase }: FileStoreOptions = {}): Promise<InputStore> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const secret = passphrase ?? (await keyBeside(path));
  const values = await read(path, secret);
  let writing = Promise.resolve();
  const save = () => {
    writing = writing.catch(() => {}).then(() => write(path, values, secret));
    return writing;
  };
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
  try {
    // `wx`: of two processes that come first, one makes the key and both read it.
    await writeFile(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
  return readFile(file, 'utf8');
}

async function read(path: string, secret: string): Promise<Map<string, string>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return new Map();
    throw error;
  }
  try {
    return new Map(Object.entries(unseal(text, secret)));
  } catch (cause) {
    throw new Error(`The stored inputs in '${path}' cannot be read: wrong passphrase or key, or a damaged file`, {
      cause,
    });
  }
}

async function write(path: string, values: Map<string, string>, secret: string): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, seal(Object.fromEntries(values), secret), { mode: 0o600 });
  // The mode counts only when the file is made, and a draft may be left over from a crash.
  await chmod(draft, 0o600);
  await rename(draft, path);
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

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
