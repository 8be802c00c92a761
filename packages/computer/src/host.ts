import { guardLogger, type Logger } from '@a2c-smcp/core';
import {
  type CallToolResult,
  type CompleteMCPServerConfig,
  ConfigError,
  type GetComputerConfigRet,
  type GetDeskTopReq,
  type GetDpeReq,
  type GetFinderReq,
  type ReadResourceReq,
  type ResourceContents,
  type SMCPTool,
  type ToolCallReq,
} from '@a2c-smcp/protocol';
import { secretsOf } from './config/credentials.ts';
import { maskConfig } from './config/mask.ts';
import { describeError } from './describe-error.ts';
import { showDesktop } from './desktop/show.ts';
import type { FinderPage } from './finder/organize.ts';
import { showFinder } from './finder/show.ts';
import { Inputs, type InputUser } from './inputs/inputs.ts';
import { memoryStore } from './inputs/store.ts';
import { commandOutput } from './mcp/command-output.ts';
import type { ResourceList } from './mcp/connection.ts';
import { McpServers } from './mcp/servers.ts';
import type { Offers } from './office/desk.ts';
import type { ComputerOptions } from './options.ts';
import { listPage, readResource } from './resources/bridge.ts';
import { readDpe } from './resources/dpe.ts';
import { Secrets } from './secrets/secrets.ts';
import type { CallScope } from './tools/call-scope.ts';
import { ToolCalls } from './tools/calls.ts';
import { buildCatalog, type Catalog } from './tools/catalog.ts';
import { History } from './tools/history.ts';
import type { ResultTransformer } from './tools/transformer.ts';
import { vrlTransformer } from './tools/vrl-transformer.ts';
import { Published } from './views/published.ts';

/** What runs on the machine, wired together: MCP servers, their inputs, tools, windows and documents. */
export class Host implements Offers {
  readonly inputs: Inputs;
  readonly servers: McpServers;
  readonly published: Published;
  readonly calls: ToolCalls;
  readonly history = new History();
  /** Never sees a secret that this host knows. */
  readonly logger: Logger;
  readonly #options: ComputerOptions;
  readonly #transformer: ResultTransformer;
  readonly #secrets = new Secrets();
  readonly #closed = new AbortController();
  #catalog: Catalog | undefined;

  constructor(options: ComputerOptions) {
    const { ask, confirm, store = memoryStore(), env = process.env, logger } = options;
    const { startTimeout = 60_000, requestTimeout = 30_000, pingInterval = 30_000 } = options;
    this.#options = options;
    this.#transformer = options.transformer ?? vrlTransformer();
    // Redacts before it clips, which could cut a secret in two.
    this.logger = this.#secrets.guard(guardLogger(logger));
    this.inputs = new Inputs({
      values: options.inputValues,
      env,
      store,
      ask,
      run: commandOutput,
      secrets: this.#secrets,
      logger: this.logger,
      signal: this.#closed.signal,
    });
    this.servers = new McpServers({
      logger: this.logger,
      secrets: this.#secrets,
      timing: { startTimeout, requestTimeout, pingInterval, pingTimeout: Math.min(10_000, requestTimeout) },
      resolve: (config, user) => this.#prepare(config, user),
    });
    this.servers.on('changed', () => {
      this.#catalog = undefined;
    });
    this.published = new Published(this.servers, this.logger);
    this.calls = new ToolCalls({
      logger: this.logger,
      redact: this.#secrets.redact,
      catalog: () => this.#tools(),
      server: name => this.servers.get(name),
      history: this.history,
      confirm,
      transformer: this.#transformer,
    });
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.published.close();
    await this.servers.close();
  }

  /** Keeps more texts secret, such as the credentials for a Server. */
  protect(secrets: Iterable<string>): void {
    this.#secrets.add(secrets);
  }

  /** The text with all secrets masked that are known by now. */
  redact(text: string): string {
    return this.#secrets.redact(text);
  }

  callTool(request: ToolCallReq, scope: CallScope): Promise<CallToolResult> {
    return this.calls.call(request, scope);
  }

  tools(): readonly SMCPTool[] {
    return this.#tools().tools;
  }

  config(): GetComputerConfigRet {
    const { configs } = this.servers;
    const { definitions } = this.inputs;
    if (this.#options.exposeSecrets !== true) {
      return maskConfig(definitions, configs, this.#secrets.redact);
    }
    return { inputs: [...definitions], servers: Object.fromEntries(configs.map(config => [config.name, config])) };
  }

  resources(server: string, cursor: string | null | undefined): Promise<ResourceList> {
    return listPage(this.servers, server, cursor);
  }

  readResource({ uri, mcp_server, timeout }: ReadResourceReq): Promise<ResourceContents[]> {
    return readResource(this.servers, uri, { server: mcp_server, timeout: milliseconds(timeout) });
  }

  desktop({ desktop_size: size, window, max_chars: maxChars }: GetDeskTopReq): Promise<string[]> {
    return showDesktop(this.published, { size, window, maxChars }, this.history.servers);
  }

  finder({ keywords, file_type: fileType, offset, limit }: GetFinderReq): Promise<FinderPage> {
    return showFinder(this.published, { keywords, fileType, offset, limit }, this.history.servers);
  }

  readDpe({ uri, timeout }: GetDpeReq): Promise<ResourceContents[]> {
    return readDpe(this.servers, this.published, { uri, timeout: milliseconds(timeout) });
  }

  async #prepare(config: CompleteMCPServerConfig, user: InputUser): Promise<CompleteMCPServerConfig> {
    // Before anything can fail: a message may repeat what the configuration has literally.
    this.#secrets.add(secretsOf(config));
    try {
      await this.#transformer.prepare(config);
    } catch (cause) {
      throw new ConfigError(`servers.${config.name}.vrl`, describeError(cause), { cause });
    }
    const filled = await this.inputs.fill(config, user);
    this.#secrets.add(secretsOf(filled));
    return filled;
  }

  #tools(): Catalog {
    this.#catalog ??= this.#buildCatalog();
    return this.#catalog;
  }

  #buildCatalog(): Catalog {
    const catalog = buildCatalog(this.servers.all.map(({ config, tools }) => ({ config, tools })));
    for (const { message, fields } of catalog.diagnostics) this.published.warnings.warn(message, fields);
    return catalog;
  }
}

/** The wire speaks seconds. */
function milliseconds(seconds: number | null | undefined): number | undefined {
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}
