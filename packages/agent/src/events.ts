import type { ConnectionState } from '@a2c-smcp/peer';
import type { A2CSkillRef, DPEDocumentSummary, DPEHit, GetComputerConfigRet, SMCPTool } from '@a2c-smcp/protocol';

/** The parts of a Computer that an Agent can follow. */
export type Topic = 'tools' | 'config' | 'desktop' | 'finder' | 'skills';

/** The cached state of a Computer. */
export interface ComputerView {
  tools: SMCPTool[];
  /** Undefined until a change was fetched. */
  config?: GetComputerConfigRet;
  /** Undefined until a change was fetched. */
  desktop?: string[];
  /** The first page of the catalogue. Undefined until a change was fetched. */
  finder?: FinderPage;
  /** Undefined until a change was fetched. */
  skills?: A2CSkillRef[];
}

/** A page of a Computer's catalogue. */
export interface FinderPage {
  /** As they are on the wire. Of a search for `content`, those of the hits. */
  documents: DPEDocumentSummary[];
  /** Matches before paging: documents, or hits. */
  totalCount: number;
  /** The pages that mention `content`, best first. Undefined if the Computer cannot search. */
  hits?: DPEHit[];
  /** Documents that were not searched yet, so that a later search may find more. */
  pending?: number;
  /** The MCP servers with documents that were not searched. */
  unsearched?: string[];
}

/** A tool and the Computer that offers it. */
export interface ToolFound {
  computer: string;
  tool: SMCPTool;
}

/** The events of an Agent. Those with the name of a topic are emitted after the change was fetched. */
export interface AgentEvents {
  enter: { computer: string };
  leave: { computer: string };
  /**
   * A Computer announced a change. Emitted before it is fetched, and also for topics that are not fetched. `uris` are the
   * documents that changed, came or went; without it, any may have changed.
   */
  changed: { computer: string; topic: Topic; uris?: readonly string[] };
  tools: { computer: string; tools: SMCPTool[] };
  config: { computer: string; config: GetComputerConfigRet };
  desktop: { computer: string; desktop: string[] };
  finder: { computer: string } & FinderPage;
  skills: { computer: string; skills: A2CSkillRef[] };
  /** `joined` is emitted for every join; the first one in the turn after `connect` has resolved. */
  connection: ConnectionState;
}
