/** The target of a URI of the bridge. `uri` is the one that the Computer knows. */
export type OfficeUri =
  | { kind: 'desktop'; computer: string }
  | { kind: 'window'; computer: string; uri: string }
  | { kind: 'document'; computer: string; uri: string };

/** Characters of a URI from a client. */
const MAX_URI_LENGTH = 8192;

/**
 * Reads `a2c://COMPUTER/desktop`, `a2c://COMPUTER/window/…` or `a2c://COMPUTER/dpe/…`. Computers may publish equal URIs, so
 * those of the bridge begin with the Computer; the rest is the Computer's URI without `://`.
 */
export function parseOfficeUri(raw: string): OfficeUri | undefined {
  if (raw.length > MAX_URI_LENGTH) return undefined;
  const [, host = '', kind, rest] = /^a2c:\/\/([^/?#]+)\/(desktop|window|dpe)(?:\/(.+))?$/s.exec(raw) ?? [];
  const computer = decode(host);
  if (computer === undefined || computer === '') return undefined;
  if (kind === 'desktop') return rest === undefined ? { kind, computer } : undefined;
  if (rest === undefined) return undefined;
  if (kind === 'window') return { kind, computer, uri: `window://${rest}` };
  return kind === 'dpe' ? { kind: 'document', computer, uri: `dpe://${rest}` } : undefined;
}

/** The URI of a Computer's Desktop. */
export function desktopUri(computer: string): string {
  return `a2c://${encodeURIComponent(computer)}/desktop`;
}

/** The URI of the bridge for a `window://` or `dpe://` URI of a Computer. */
export function officeUri(computer: string, uri: string): string {
  return `a2c://${encodeURIComponent(computer)}/${uri.replace('://', '/')}`;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
