import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { hashOf } from '../config/origin.ts';
import { exclusively } from './lock-file.ts';
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
 * Keeps values in a file encrypted with AES-256-GCM that only its owner may read. Several processes may use one file. Rejects
 * when other users have access to the file or its key, or could replace them.
 */
export async function fileStore(path: string, { passphrase }: FileStoreOptions = {}): Promise<InputStore> {
  await preparePrivateFolder(path);
  const file = new SealedFile(path, passphrase ?? (await keyBeside(path)));
  await file.read();
  const change = (apply: (values: Map<string, string>) => boolean | Map<string, string>) =>
    exclusively(`${path}.lock`, async () => {
      const values = new Map(await file.read());
      if (apply(values) !== false) await file.write(values);
    });
  return {
    async get(id) {
      return (await file.read()).get(id);
    },
    set: (id, value) => change(values => values.set(id, value)),
    delete: id => change(values => values.delete(id)),
    exclusively: (id, work) => exclusively(`${path}.${hashOf(id).slice(0, 16)}.lock`, work),
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

/** The file and what was last read from it. */
class SealedFile {
  readonly #path: string;
  readonly #secret: string;
  #values = new Map<string, string>();
  /** Identifies the version of the file that was read. */
  #version: string | undefined;
  /** Making a key takes long on purpose, so that it is kept as long as the file has its salt. */
  #key: { salt: string; key: Buffer } | undefined;

  constructor(path: string, secret: string) {
    this.#path = path;
    this.#secret = secret;
  }

  async read(): Promise<Map<string, string>> {
    const version = await versionOf(this.#path);
    if (version === this.#version) return this.#values;
    const text = await readPrivateFile(this.#path);
    try {
      this.#values = new Map(text === undefined ? [] : Object.entries(this.#unseal(text)));
    } catch (cause) {
      throw new Error(
        `The stored inputs in '${this.#path}' cannot be read: wrong passphrase or key, or a damaged file`,
        { cause },
      );
    }
    this.#version = version;
    return this.#values;
  }

  async write(values: Map<string, string>): Promise<void> {
    await replacePrivateFile(this.#path, this.#seal(Object.fromEntries(values)));
    this.#values = values;
    this.#version = await versionOf(this.#path);
  }

  #seal(values: Values): string {
    const salt = this.#key?.salt ?? randomBytes(16).toString('base64');
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#keyFor(salt), nonce);
    const data = Buffer.concat([cipher.update(JSON.stringify(values), 'utf8'), cipher.final()]);
    const texts = { nonce, tag: cipher.getAuthTag(), data };
    const encoded = Object.fromEntries(Object.entries(texts).map(([name, bytes]) => [name, bytes.toString('base64')]));
    return JSON.stringify({ version: 1, salt, ...encoded });
  }

  #unseal(text: string): Values {
    const { salt, nonce, tag, data } = Sealed.parse(JSON.parse(text));
    const decipher = createDecipheriv('aes-256-gcm', this.#keyFor(salt), Buffer.from(nonce, 'base64'));
    decipher.setAuthTag(Buffer.from(tag, 'base64'));
    const plain = Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]);
    return Values.parse(JSON.parse(plain.toString('utf8')));
  }

  #keyFor(salt: string): Buffer {
    if (this.#key?.salt !== salt) {
      this.#key = { salt, key: scryptSync(this.#secret, Buffer.from(salt, 'base64'), 32) };
    }
    return this.#key.key;
  }
}

async function versionOf(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(
    ({ ino, mtimeNs, size }) => `${ino} ${mtimeNs} ${size}`,
    () => 'none',
  );
}
