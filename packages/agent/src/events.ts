import type { ConnectionState } from '@a2c-smcp/peer';
import type { DPEDocumentSummary, GetComputerConfigRet, SMCPTool } from '@a2c-smcp/protocol';

/** What an Agent can follow of a Computer. */
export type Topic = 'tools' | 'config' | 'desktop' | 'finder';

/** A Computer as the Agent last saw it. */
export interface ComputerView {
  tools: SMCPTool[];
  /** Since the first change that was fetched. */
  config?: GetComputerConfigRet;
  /** Since the first change that was fetched. */
  desktop?: string[];
  /** The first page of the catalogue, since the first change that was fetched. */
  finder?: FinderPage;
}

/** A page of a Computer's catalogue. */
export interface FinderPage {
  documents: DPEDocumentSummary[];
  /** Matches before paging. */
  totalCount: number;
}

/** What an Agent tells. `tools`, `config`, `desktop` and `finder` come after the news was fetched. */
export interface AgentEvents {
  enter: { computer: string };
  leave: { computer: string };
  /** A Computer said that something changed. It comes before any fetching, and also for what is not fetched. */
  changed: { computer: string; topic: Topic };
  tools: { computer: string; tools: SMCPTool[] };
  config: { computer: string; config: GetComputerConfigRet };
  desktop: { computer: string; desktop: string[] };
  finder: { computer: string } & FinderPage;
  connection: ConnectionState;
}
