import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import type { CallForecast, Consent, OfferedTool } from './consent.ts';
import type { Pin, Pins } from './pins.ts';

/** A call that is not made. */
export interface SupposedCall {
  /** The name that Agents see. */
  tool: string;
  params?: Record<string, unknown>;
  /** @default a call from this machine */
  agent?: string;
  office?: string;
}

/** Where a tool comes from. */
export interface ToolSource {
  server: string;
  /** The name the MCP server knows the tool by. */
  originalTool: string;
}

/** Names pins: those of a server, or of one of its tools by its own name. */
export interface PinSelection {
  server?: string | undefined;
  tool?: string | undefined;
}

export interface ConsentControlsOptions {
  consent: Consent;
  pins: () => Pins | undefined;
  /** The tools by the names that Agents see. */
  tools: () => ReadonlyMap<string, OfferedTool>;
}

/** Shows and changes what the owner of a Computer has decided. */
export class ConsentControls {
  readonly #options: ConsentControlsOptions;

  constructor(options: ConsentControlsOptions) {
    this.#options = options;
  }

  /** Predicts the decision about a call that arrives now. Throws 4001 for an unknown tool. */
  explain({ tool: name, params = {}, agent, office }: SupposedCall): CallForecast & ToolSource {
    const tool = this.#options.tools().get(name);
    if (!tool) throw new SmcpError(ErrorCode.ToolNotFound, `No tool '${name}' on this computer`);
    const forecast = this.#options.consent.forecast(tool, { tool: name, params, agent, office });
    return { ...forecast, server: tool.server, originalTool: tool.tool };
  }

  /** The pinned definitions of tools; those that a server offers differently by now are marked. */
  pins(): Pin[] {
    for (const tool of this.#options.tools().values()) this.#options.consent.changesOf(tool);
    return this.#options.pins()?.list ?? [];
  }

  /** Accepts the present definitions of tools that have changed. @returns how many */
  acceptPins(selection: PinSelection = {}): number {
    this.pins();
    return this.#options.pins()?.acceptChanged(pin => isMeant(pin, selection)) ?? 0;
  }

  /** Forgets pinned definitions: the next use of a tool counts as the first. @returns how many */
  forgetPins(selection: PinSelection = {}): number {
    return this.#options.pins()?.forget(pin => isMeant(pin, selection)) ?? 0;
  }
}

function isMeant({ server, tool }: { server: string; tool: string }, selection: PinSelection): boolean {
  return [
    [selection.server, server],
    [selection.tool, tool],
  ].every(([wanted, found]) => wanted === undefined || wanted === found);
}
