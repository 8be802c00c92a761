import { Debouncer, fieldsOf, isObject, type Logger } from '@a2c-smcp/core';
import { type AdoptedWindow as AdoptedWindowConfig, RESOURCE_TIMEOUT_MS, type Resource } from '@a2c-smcp/protocol';
import type { VrlProgram } from '@a2c-smcp/vrl';
import { describeError } from '../describe-error.ts';
import type { McpSession } from '../mcp/session/session.ts';

/** Milliseconds that a tool may run for a window. */
const TOOL_TIMEOUT_MS = 25_000;
/** Characters of a window. */
const MAX_TEXT_LENGTH = 64 * 1024;
/** Milliseconds from a reason to refresh to the next refresh, so that several calls cause one. */
const REFRESH_TIMING = { delay: 20, pause: 200 };

const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 };
const MIN_EVERY_MS = 1000;

export interface AdoptedWindowOptions {
  uri: string;
  name: string;
  config: AdoptedWindowConfig;
  program: VrlProgram | undefined;
  session: McpSession;
  /** Why a tool may not be called; undefined if it may. */
  refusal: (tool: string, params: Record<string, unknown>) => string | undefined;
  /** Called when the text has changed. */
  onChanged: () => void;
  logger: Logger;
}

/** One window whose text is the result of a tool, or the text of another resource. */
export class AdoptedWindow {
  readonly uri: string;
  readonly resource: Resource;
  /** The URI of the resource that it shows, if it shows one. */
  readonly source: string | undefined;
  readonly #options: AdoptedWindowOptions;
  readonly #refresher = new Debouncer(() => this.load(), REFRESH_TIMING);
  readonly #closed = new AbortController();
  #text: string | undefined;
  #loading: Promise<void> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isShown: () => void = () => {};
  /** Resolves when there is a text. */
  readonly shown: Promise<void>;

  constructor(options: AdoptedWindowOptions) {
    const { title = options.name, priority = 0.5, fullscreen = false, resource } = options.config;
    this.#options = options;
    this.uri = options.uri;
    this.source = resource;
    this.resource = {
      uri: options.uri,
      name: title,
      title,
      mimeType: 'text/plain',
      annotations: { priority, audience: ['assistant'] },
      ...(fullscreen && { _meta: { fullscreen } }),
    };
    this.shown = new Promise(resolve => {
      this.#isShown = resolve;
    });
  }

  get text(): string {
    return this.#text ?? '(not loaded yet)';
  }

  start(): void {
    const { every } = this.#options.config;
    this.refresh();
    if (every === undefined) return;
    this.#timer = setInterval(() => this.refresh(), periodOf(every));
    this.#timer.unref();
  }

  /** Refreshes soon; any number of requests until then cause one. */
  refresh(): void {
    if (!this.#closed.signal.aborted) this.#refresher.request();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#refresher.cancel();
    this.#closed.abort();
  }

  /** Refreshes now. Never rejects: an error is shown as the text. */
  load(): Promise<void> {
    this.#loading ??= this.#show().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #show(): Promise<void> {
    const { name, onChanged, logger } = this.#options;
    let text: string;
    try {
      text = cut(await this.#load());
    } catch (error) {
      if (this.#closed.signal.aborted) return;
      logger.debug('An adopted window could not be refreshed', { window: this.uri, error });
      text = cut(`The window '${name}' cannot be shown: ${describeError(error)}`);
    }
    if (this.#closed.signal.aborted || text === this.#text) return;
    const isFirst = this.#text === undefined;
    this.#text = text;
    this.#isShown();
    if (!isFirst) onChanged();
  }

  async #load(): Promise<string> {
    const { program, session } = this.#options;
    const result =
      this.source === undefined
        ? await this.#call()
        : await session.readResource(this.source, { timeout: RESOURCE_TIMEOUT_MS });
    const text = textIn(result);
    if (result.isError === true) throw new Error(text);
    if (!program) return text;
    const { event } = program.runJson(JSON.stringify({ ...result, text }));
    const shaped = fieldsOf(JSON.parse(event)).text;
    if (typeof shaped !== 'string') throw new Error("its VRL script left no text in '.text'");
    return shaped;
  }

  async #call(): Promise<Record<string, unknown>> {
    const { session, refusal, config } = this.#options;
    const { tool = '', arguments: params = {} } = config;
    const why = refusal(tool, params);
    if (why !== undefined) throw new Error(`the tool '${tool}' is not called, because ${why}`);
    const signal = AbortSignal.any([this.#closed.signal, AbortSignal.timeout(TOOL_TIMEOUT_MS)]);
    return session.callTool(tool, params, { signal, onProgress: () => {} });
  }
}

/** Milliseconds of a period like `10s`. */
export function periodOf(every: string): number {
  const unit = UNIT_MS[every.slice(-1)] ?? 1000;
  return Math.max(Number.parseFloat(every) * unit, MIN_EVERY_MS);
}

/** The texts of a tool's result or of a resource. */
function textIn({ content, contents, structuredContent }: Record<string, unknown>): string {
  const blocks = [content, contents].find(Array.isArray) ?? [];
  const texts = blocks.filter(isObject).map(block => {
    const text = block.text ?? fieldsOf(block.resource).text;
    return typeof text === 'string' ? text : `(${typeof block.type === 'string' ? block.type : 'binary content'})`;
  });
  if (texts.length > 0) return texts.join('\n\n');
  return structuredContent === undefined ? '' : JSON.stringify(structuredContent, null, 2);
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  const kept = text.slice(0, MAX_TEXT_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}\n[${text.length - kept.length} characters missing]`;
}
