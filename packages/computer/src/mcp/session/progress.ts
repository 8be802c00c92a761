/** How far a tool call is, as its MCP server reports it. */
export interface Progress {
  progress: number;
  total?: number;
  /** Written by the MCP server. */
  message?: string;
}

/** Must not throw. */
export type ProgressListener = (progress: Progress) => void;

/** The fields of a progress notification that are well-formed; undefined without a number of progress. */
export function readProgress({ progress, total, message }: Record<string, unknown>): Progress | undefined {
  if (typeof progress !== 'number' || !Number.isFinite(progress)) return undefined;
  return {
    progress,
    ...(typeof total === 'number' && Number.isFinite(total) ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}
