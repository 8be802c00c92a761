import { createDecipheriv, createHash } from 'node:crypto';
import { CompoundFile } from './compound-file.ts';

/** The password with which Excel locks a workbook that everybody may open. */
const DEFAULT_PASSWORD = Buffer.from('VelvetSweatshop', 'utf16le');
/** Rounds of hashing; Excel takes 100,000. */
const MAX_ROUNDS = 1_000_000;
const OLD_ROUNDS = 50_000;
const SEGMENT_BYTES = 4096;
const KEY_BLOCK = '146e0be7abacd0d6';
const INPUT_BLOCK = 'fea7d2763b4b9e79';
const HASH_BLOCK = 'd7aa0f6d3061344e';
const hashes = new Set(['sha1', 'sha256', 'sha384', 'sha512']);

/** The archive inside of an encrypted Office file; undefined if it has a password of its own. */
export function unlock(bytes: Buffer): Buffer | undefined {
  try {
    const file = new CompoundFile(bytes);
    const info = file.stream('EncryptionInfo');
    const data = file.stream('EncryptedPackage');
    if (info === undefined || data === undefined) return undefined;
    const isAgile = info.readUInt16LE(0) === 4 && info.readUInt16LE(2) === 4;
    const archive = isAgile ? unlockAgile(info.toString('utf8', 8), data) : unlockStandard(info, data);
    return archive?.subarray(0, data.readUInt32LE(0));
  } catch {
    // Unknown ways of encryption have a password that is not known either.
    return undefined;
  }
}

/** Encryption since Office 2010: the key of the archive is encrypted with one made of the password. */
function unlockAgile(xml: string, data: Buffer): Buffer | undefined {
  const content = attributesOf(/<keyData\b[^>]*>/.exec(xml)?.[0]);
  const key = attributesOf(/<(?:\w+:)?encryptedKey\b[^>]*>/.exec(xml)?.[0]);
  const rounds = Number(key.text('spinCount'));
  if (!(rounds <= MAX_ROUNDS)) return undefined;
  const salt = key.bytes('saltValue');
  let hash = key.hash(salt, DEFAULT_PASSWORD);
  for (let round = 0; round < rounds; round += 1) hash = key.hash(number(round), hash);
  const open = (block: string, name: string) => {
    const own = fit(key.hash(hash, Buffer.from(block, 'hex')), key.size('keyBits') / 8);
    return decrypt('cbc', own, fit(salt, key.size('blockSize')), key.bytes(name));
  };
  const input = open(INPUT_BLOCK, 'encryptedVerifierHashInput').subarray(0, key.size('saltSize'));
  const expected = key.hash(input);
  if (!open(HASH_BLOCK, 'encryptedVerifierHashValue').subarray(0, expected.length).equals(expected)) return undefined;
  const secret = open(KEY_BLOCK, 'encryptedKeyValue').subarray(0, key.size('keyBits') / 8);
  const segments: Buffer[] = [];
  for (let at = 8; at + 16 <= data.length; at += SEGMENT_BYTES) {
    const start = content.hash(content.bytes('saltValue'), number(segments.length));
    const segment = data.subarray(at, at + SEGMENT_BYTES);
    const whole = segment.subarray(0, segment.length - (segment.length % 16));
    segments.push(decrypt('cbc', secret, fit(start, content.size('blockSize')), whole));
  }
  return Buffer.concat(segments);
}

/** Encryption of Office 2007. */
function unlockStandard(info: Buffer, data: Buffer): Buffer | undefined {
  const keyBytes = info.readUInt32LE(12 + 16) / 8;
  const at = 12 + info.readUInt32LE(8);
  const sha1 = (...parts: Buffer[]) => createHash('sha1').update(Buffer.concat(parts)).digest();
  let hash = sha1(info.subarray(at + 4, at + 20), DEFAULT_PASSWORD);
  for (let round = 0; round < OLD_ROUNDS; round += 1) hash = sha1(number(round), hash);
  hash = sha1(hash, number(0));
  const spread = (pad: number) => sha1(Buffer.alloc(64, pad).map((byte, index) => byte ^ (hash[index] ?? 0)) as Buffer);
  const key = Buffer.concat([spread(0x36), spread(0x5c)]).subarray(0, keyBytes);
  const none = Buffer.alloc(0);
  const expected = sha1(decrypt('ecb', key, none, info.subarray(at + 20, at + 36)));
  const stored = decrypt('ecb', key, none, info.subarray(at + 40, at + 72)).subarray(0, expected.length);
  if (!stored.equals(expected)) return undefined;
  return decrypt('ecb', key, none, data.subarray(8, data.length - ((data.length - 8) % 16)));
}

function decrypt(mode: 'cbc' | 'ecb', key: Buffer, start: Buffer, bytes: Buffer): Buffer {
  const name = `aes-${key.length * 8}-${mode}`;
  const decipher = createDecipheriv(name, key, mode === 'ecb' ? null : start).setAutoPadding(false);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}

/** Bytes cut or filled up to a length. */
function fit(bytes: Buffer, length: number): Buffer {
  return bytes.length >= length
    ? bytes.subarray(0, length)
    : Buffer.concat([bytes, Buffer.alloc(length, 0x36)], length);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** The attributes of a tag that describe encryption. */
function attributesOf(tag = '') {
  const attributes = new Map([...tag.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));
  const text = (name: string) => attributes.get(name) ?? '';
  const named = text('hashAlgorithm').toLowerCase();
  const algorithm = hashes.has(named) ? named : 'sha512';
  return {
    text,
    size: (name: string) => Number(text(name)),
    bytes: (name: string) => Buffer.from(text(name), 'base64'),
    hash: (...parts: Buffer[]) => {
      const hash = createHash(algorithm);
      for (const part of parts) hash.update(part);
      return hash.digest();
    },
  };
}
