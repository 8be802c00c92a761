import { guardLogger, type Logger } from '@a2c-smcp/core';
import {
  COMPUTER_TIMEOUT_MS,
  type CompleteMCPServerConfig,
  ConfigError,
  type GetComputerConfigRet,
  type MCPServerInput,
  type PolicyRule,
  pickOptions,
  type QuestionSettings,
} from '@a2c-smcp/protocol';
import { adoptedHost } from './adopted/adopted-host.ts';
import { AuditLog, type AuditOptions } from './audit/audit-log.ts';
import { auditEntry } from './audit/entry.ts';
import { Spool } from './blobs/spool.ts';
import { Uploads } from './blobs/uploads.ts';
import type { IdentifiedConfig } from './config/bundle-id.ts';
import { secretsOf } from './config/credentials.ts';
import { withEnvFile } from './config/env-file.ts';
import { maskConfig } from './config/mask.ts';
import { hashOf, type Origin } from './config/origin.ts';
import { refersTo } from './config/placeholders.ts';
import { faceOf } from './consent/confirm.ts';
import { Consent, type OfferedTool } from './consent/consent.ts';
import { ConsentControls } from './consent/controls.ts';
import { Pins } from './consent/pins.ts';
import { Policy } from './consent/policy.ts';
import { describeError } from './describe-error.ts';
import type { Dialect } from './dialect.ts';
import { commandOutput } from './inputs/command-output.ts';
import { type AskableInput, type InputSource, Inputs, type InputUser } from './inputs/inputs.ts';
import { memoryStore } from './inputs/store.ts';
import type { McpSession } from './mcp/session/session.ts';
import type { Adopted } from './mcp/supervisor/mcp-server-options.ts';
import { McpServers } from './mcp/supervisor/mcp-servers.ts';
import { CatalogFiles } from './mcp/supervisor/server-catalog.ts';
import { authorisationFor } from './oauth/authorisation.ts';
import type { ComputerOptions, PinsOptions } from './options.ts';
import { AgentFace } from './questions/agent-face.ts';
import { Questions } from './questions/questions.ts';
import { ResourceCatalog } from './resources/catalog.ts';
import { Secrets } from './secrets/secrets.ts';
import { Skills } from './skills/skills.ts';
import { ToolCalls } from './tools/calls.ts';
import { ToolCatalog } from './tools/catalog.ts';
import { type ResultTransformer, vrlTransformer } from './tools/transformer.ts';
import { Warnings } from './warnings.ts';

/** The longest time that a ping may take, in milliseconds. */
const MAX_PING_TIMEOUT_MS = 10_000;
const INLINE_BUDGET_BYTES = 1024 * 1024;

/** The parts of a Computer, wired together. `Computer` and the handlers of an office use them directly. */
export class Runtime {
  readonly secrets = new Secrets();
  /** Never gets a known secret. */
  readonly logger: Logger;
  readonly inputs: Inputs;
  readonly servers: McpServers;
  readonly tools: ToolCatalog;
  readonly resources: ResourceCatalog;
  readonly skills: Skills;
  readonly calls: ToolCalls;
  readonly questions: Questions;
  readonly agentFace = new AgentFace();
  readonly consent: Consent;
  /** The definitions of tools; undefined when they are not pinned. */
  pins: Pins | undefined;
  readonly spool: Spool;
  readonly uploads: Uploads;
  /** Decoded bytes of an item above which it is offloaded for an Agent that drains. */
  readonly inlineBudget: number;
  readonly #exposeSecrets: boolean;
  readonly #transformer: ResultTransformer;
  readonly #closed = new AbortController();
  #audit: AuditLog | undefined;
  #removeAgentFace: (() => void) | undefined;

  constructor(options: ComputerOptions) {
    const { store = memoryStore(), env = process.env, transformer = vrlTransformer() } = options;
    const { serverLogLevel: logLevel = 'info' } = options;
    const { startTimeout = 60_000, requestTimeout = COMPUTER_TIMEOUT_MS, pingInterval = 30_000 } = options;
    const { secrets } = this;
    this.#exposeSecrets = options.exposeSecrets === true;
    this.#transformer = transformer;
    // Redacts before it clips, which could cut a secret in two.
    this.logger = secrets.guard(guardLogger(options.logger));
    const { logger } = this;
    this.questions = new Questions(logger);
    for (const face of [faceOf('program', options), ...(options.faces ?? [])]) this.questions.attend(face);
    this.inputs = new Inputs({
      values: options.inputValues,
      env,
      store,
      ask: (input, { signal }) => this.#askFor(input, signal),
      run: commandOutput,
      secrets,
      logger,
      signal: this.#closed.signal,
    });
    const pingTimeout = Math.min(MAX_PING_TIMEOUT_MS, requestTimeout);
    this.servers = new McpServers({
      logger,
      secrets,
      questions: this.questions,
      sample: options.sample,
      logLevel,
      timing: { startTimeout, requestTimeout, pingInterval, pingTimeout },
      resolve: (config, user) => this.#prepare(config, user),
      authorise: (config, origin, onChange) =>
        authorisationFor(config, { origin, store, secrets, questions: this.questions, onChange, logger }),
      adopt: config => this.#adopt(config),
      catalogs: new CatalogFiles(options.catalogFolder, logger),
      isWatched: server => this.resources.isWatched(server),
    });
    const { servers } = this;
    const warnings = new Warnings(logger);
    const isChanged = (tool: OfferedTool) => this.consent.changesOf(tool) !== undefined;
    this.tools = new ToolCatalog(servers, warnings, isChanged);
    this.resources = new ResourceCatalog({
      servers,
      warnings,
      acceptHosts: (server, hosts) => this.#acceptedHosts(server, hosts),
      logger,
    });
    this.skills = new Skills({ options: options.skills ?? {}, servers, resources: this.resources });
    const { redact } = secrets;
    this.consent = new Consent({
      questions: this.questions,
      pinsFor: server => this.#pinsFor(server),
      originOf: server => this.#pinned(server).origin,
      remember: options.remember,
      logger,
    });
    this.calls = new ToolCalls({
      catalog: this.tools,
      consent: this.consent,
      transformer,
      redact,
      logger,
    });
    this.spool = new Spool(options.spool);
    this.uploads = new Uploads(options.uploads, logger);
    this.inlineBudget = options.inlineBudget ?? INLINE_BUDGET_BYTES;
  }

  /** The configuration as an Agent sees it. A server whose `bundle_id` is another's has no key of its own in `bundled`. */
  config(dialect: Dialect = 'plain'): GetComputerConfigRet {
    const configs = this.servers.configs
      .filter(({ name }) => dialect === 'plain' || this.servers.isOwner(name))
      // Nothing of OAuth ever reaches an Agent.
      .map(({ oauth: _, ...config }) => config as IdentifiedConfig);
    const { definitions } = this.inputs;
    const shown = this.#exposeSecrets
      ? { inputs: [...definitions], servers: configs }
      : maskConfig(definitions, configs, this.secrets.redact);
    const servers = shown.servers.map(server => [dialect === 'plain' ? server.name : server.bundle_id, server]);
    return { inputs: shown.inputs.map(input => inputIn(dialect, input)), servers: Object.fromEntries(servers) };
  }

  /** The dependencies of the Finder beside the documents. */
  get finderContext() {
    const search = (server: string, params: Record<string, unknown>, signal: AbortSignal) =>
      this.#searchDocuments(server, params, signal);
    return { history: this.calls.usedServers, search };
  }

  /** The owner's view of all decisions, and the means to change them. */
  get controls(): ConsentControls {
    const tools = () => this.tools.table.routes.plain;
    return new ConsentControls({ consent: this.consent, pins: () => this.pins, tools });
  }

  /** Opens what has to be there before any MCP server is. */
  async start({ audit, pins }: ComputerOptions, rules: readonly PolicyRule[]): Promise<void> {
    await this.#openAudit(audit);
    await this.#openPins(pins);
    await this.setPolicy(rules);
    await this.skills.start();
  }

  /** The sources of an input's value: one for each MCP server that refers to it, or that for an origin if none does. */
  inputSources(id: string, origin: Origin): Promise<InputSource[]> {
    const users = this.servers.all.filter(({ config }) => refersTo(config, id));
    const sources = users.map(user => this.inputs.source(id, user.origin, { server: user.name }));
    return Promise.all(sources.length > 0 ? sources : [this.inputs.source(id, origin, {})]);
  }

  /** Records tool calls from now on. */
  async #openAudit(options: AuditOptions | undefined): Promise<void> {
    if (!options) return;
    const audit = await AuditLog.open(options, this.logger);
    this.#audit = audit;
    this.calls.onRecord = (record, call) => audit.record(auditEntry(record, call, this.secrets.redact));
  }

  /** Opens the pinned definitions before any tool is used. */
  async #openPins(options: PinsOptions | false = {}): Promise<void> {
    if (options === false) return;
    this.pins = await Pins.open(options.file, this.logger);
    this.pins.events.on('accepted', () => {
      this.consent.reconsider();
      this.servers.events.emit('tools-changed', { server: '' });
      this.resources.reconsiderHosts();
    });
  }

  /** Replaces the rules of the owner. Throws a `ConfigError` if one cannot be compiled; then the former stay in force. */
  async setPolicy(rules: readonly PolicyRule[]): Promise<void> {
    this.consent.policy = await Policy.compile(rules);
  }

  /** Decides who besides the owner answers what MCP servers ask. */
  setQuestions(settings: QuestionSettings): void {
    this.agentFace.settings = settings;
    if (settings.forward === 'agent') {
      this.#removeAgentFace ??= this.questions.attend(this.agentFace);
    } else {
      this.#removeAgentFace?.();
      this.#removeAgentFace = undefined;
    }
  }

  /** Deletes what is kept for an Agent that is gone. */
  release(owner: object): void {
    this.resources.unwatch();
    this.spool.release(owner);
    this.uploads.release(owner);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.skills.close();
    this.resources.close();
    await Promise.all([this.servers.close(), this.spool.close(), this.uploads.close(), this.pins?.flush()]);
    await this.#audit?.close();
  }

  /** Code of this process needs no pins. */
  #pinsFor(server: string): Pins | undefined {
    return this.servers.get(server)?.isLocal ? undefined : this.pins;
  }

  #pinned(server: string): { origin: string; server: string } {
    return { origin: hashOf(this.servers.get(server)?.origin ?? ''), server };
  }

  /** Loaded when a configuration has windows or documents. */
  async #adopt(config: CompleteMCPServerConfig): Promise<(session: McpSession) => Adopted | undefined> {
    const { name: server } = config;
    const { prepareAdopted } = await import('./adopted/prepare.ts');
    const refusal = (tool: string, params: Record<string, unknown>) => this.#refusal({ server, tool, params });
    return prepareAdopted({ config, events: this.servers.events, refusal, logger: this.logger });
  }

  /** Calls the tool of an MCP server that says it searches its documents. Undefined if there is none. */
  #searchDocuments(server: string, params: Record<string, unknown>, signal: AbortSignal) {
    const tools = this.servers.get(server)?.tools ?? [];
    const tool = tools.find(({ _meta }) => _meta?.document_search === true)?.name;
    return tool === undefined ? undefined : this.#callUnasked({ server, tool, params, signal });
  }

  async #callUnasked({ signal, ...call }: UnaskedCall & { signal: AbortSignal }) {
    const { server, tool, params } = call;
    const why = this.#refusal(call);
    if (why !== undefined) throw new Error(`The tool '${tool}' is not called, because ${why}`);
    return this.servers.require(server).callTool(tool, params, { signal, onProgress: () => {} });
  }

  /** Why a tool may not be called without a person who confirms it; undefined if it may. */
  #refusal({ server, tool, params }: UnaskedCall): string | undefined {
    const routes = [...this.tools.table.routes.plain.values()];
    const route = routes.find(candidate => candidate.server === server && candidate.tool === tool);
    if (!route) return 'the MCP server has no such tool, or it is forbidden';
    if (this.consent.changesOf(route)) return 'its definition has changed since it was last used';
    const rule = this.consent.decide(route, { tool, params });
    if (rule) return rule.decision === 'allow' ? undefined : `rule ${rule.rule} of the policy does not allow it`;
    const isHarmless = route.meta?.auto_apply === true || route.annotations?.readOnlyHint === true;
    return isHarmless ? undefined : "it is neither read-only nor 'auto_apply'";
  }

  /** Windows of the configuration need no acceptance. */
  #acceptedHosts(server: string, hosts: ReadonlySet<string>): ReadonlySet<string> {
    const adopted = this.servers.get(server)?.config.windows && adoptedHost(server);
    const published = new Set([...hosts].filter(host => host !== adopted));
    const accepted = this.#pinsFor(server)?.acceptedHosts(this.#pinned(server), published) ?? published;
    return adopted === undefined ? accepted : new Set([...accepted, adopted]);
  }

  async #askFor(input: AskableInput, signal: AbortSignal): Promise<string | undefined> {
    const { answer } = await this.questions.ask<'input'>({ kind: 'input', input }, signal);
    return answer?.action === 'accept' ? answer.value : undefined;
  }

  async #prepare(config: CompleteMCPServerConfig, user: InputUser): Promise<CompleteMCPServerConfig> {
    // Before anything can fail: a message may repeat what the configuration has literally.
    this.secrets.add(secretsOf(config), config.name);
    try {
      await this.#transformer.prepare(config);
    } catch (cause) {
      throw new ConfigError(`servers.${config.name}.vrl`, describeError(cause), { cause });
    }
    const filled = await withEnvFile(await this.inputs.fill(config, user));
    this.secrets.add(secretsOf(filled), config.name);
    return filled;
  }
}

/** A call that the Computer makes itself. */
interface UnaskedCall {
  server: string;
  tool: string;
  params: Record<string, unknown>;
}

/** The definition of an input with its options as texts, the only form that Agents of protocol 0.2 read, or as pairs. */
function inputIn(dialect: Dialect, input: MCPServerInput): MCPServerInput {
  if (input.type !== 'pickString') return input;
  const options = pickOptions(input);
  return { ...input, options: dialect === 'plain' ? options.map(({ value }) => value) : options };
}
