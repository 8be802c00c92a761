import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import { partTimeout } from './blobs.ts';
import { encodeBase64 } from './bytes.ts';
import type { Requests } from './requests.ts';
import { inPieces, type MeasuredSource, measure, type UploadSource } from './upload-source.ts';

export interface UploadOptions {
  /** A file name that the Computer keeps as far as it is harmless. @default none, or that of a `File` or a path */
  name?: string;
  /** Called after each part with the bytes that the Computer has. */
  onProgress?: (progress: UploadProgress) => void;
  /** Milliseconds for the whole. @default none: each part has the Agent's `timeout` */
  timeout?: number;
  /** Gives up, and lets the Computer delete what it has. */
  signal?: AbortSignal;
}

export interface UploadProgress {
  sent: number;
  total: number;
}

/** A file on a Computer. */
export interface UploadedFile {
  /** Absolute, on the Computer: for the arguments of a tool call. */
  path: string;
  size: number;
  sha256: string;
}

/** Sends a file to a Computer, part by part. */
export async function upload(
  requests: Requests,
  { computer, source }: { computer: string; source: UploadSource },
  options: UploadOptions = {},
): Promise<UploadedFile> {
  const { signal, timeout, name = nameOf(source) } = options;
  const left = partTimeout(timeout, requests.timeout);
  signal?.throwIfAborted();
  const measured = await measure(source, signal);
  const transfer = new Transfer(requests, { computer, measured, name, left, signal, onProgress: options.onProgress });
  try {
    return await transfer.run();
  } catch (error) {
    transfer.abandon();
    throw error;
  }
}

interface TransferOptions {
  computer: string;
  measured: MeasuredSource;
  name: string | undefined;
  left: () => number;
  signal: AbortSignal | undefined;
  onProgress: UploadOptions['onProgress'];
}

class Transfer {
  readonly #requests: Requests;
  readonly #options: TransferOptions;
  #id: string | undefined;
  #sent = 0;

  constructor(requests: Requests, options: TransferOptions) {
    this.#requests = requests;
    this.#options = options;
  }

  async run(): Promise<UploadedFile> {
    const { measured, onProgress } = this.#options;
    for await (const piece of inPieces(measured.stream(), this.#requests.partBytes)) {
      const landed = await this.#send(piece);
      onProgress?.({ sent: this.#sent, total: measured.size });
      if (landed) return landed;
    }
    throw new TypeError('The source has fewer bytes than before');
  }

  /** Lets the Computer delete what it has: an empty last part ends an upload that is not complete. */
  abandon(): void {
    const { computer } = this.#options;
    if (this.#id === undefined || this.#sent === this.#options.measured.size) return;
    const subject = { computer, upload_id: this.#id, chunk_offset: this.#sent, eof: true, blob: '' };
    this.#requests.send('client:put_blob', subject).catch(() => {});
  }

  async #send(piece: Uint8Array): Promise<UploadedFile | undefined> {
    const { computer, measured, name, left, signal } = this.#options;
    const { size, sha256 } = measured;
    const eof = this.#sent + piece.length >= size;
    const declaration = { total_size: size, sha256, ...(name === undefined ? {} : { name_hint: name }) };
    const answer = await this.#requests.send(
      'client:put_blob',
      {
        computer,
        ...(this.#id === undefined ? declaration : { upload_id: this.#id }),
        chunk_offset: this.#sent,
        eof,
        blob: encodeBase64(piece),
      },
      { timeout: left(), ...(signal && { signal }) },
    );
    this.#id = answer.upload_id;
    this.#sent += piece.length;
    if (!eof) return undefined;
    const { landing_path: path, sha256: landed } = answer;
    if (typeof path !== 'string' || path === '') throw broken('has no path for the file');
    if (landed?.toLowerCase() !== sha256) throw broken('has another SHA-256 sum');
    return { path, size, sha256 };
  }
}

/** The name of a `File`, or the last segment of a path. */
function nameOf(source: UploadSource): string | undefined {
  if (typeof source === 'string') return source.split(/[/\\]/).at(-1);
  return 'name' in source && typeof source.name === 'string' ? source.name : undefined;
}

function broken(problem: string): SmcpError {
  return new SmcpError(ErrorCode.Internal, `The answer to client:put_blob ${problem}`);
}
