import type { McpSession } from '../mcp/session/session.ts';
import type { Adopted } from '../mcp/supervisor/mcp-server-options.ts';
import type { AdoptedWindowsOptions } from './adopted-windows.ts';

/** Wraps a session in what its configuration adds: windows, and around them documents. Each is loaded lazily. */
export async function prepareAdopted(
  options: AdoptedWindowsOptions,
): Promise<(session: McpSession) => Adopted | undefined> {
  const { windows, documents } = options.config;
  const withWindows = windows && (await (await import('./adopted-windows.ts')).AdoptedWindows.prepare(options));
  const withDocuments = documents && (await (await import('./adopted-documents.ts')).AdoptedDocuments.prepare(options));
  return session => {
    const inner = withWindows?.(session);
    return withDocuments?.(inner ?? session, inner) ?? inner;
  };
}
