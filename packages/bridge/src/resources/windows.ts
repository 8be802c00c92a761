import { ErrorCode, SmcpError } from '@a2c-smcp/agent';
import type { OfficeAgent } from '../office-agent.ts';

/** A window of a Computer. */
export interface Window {
  /** The `window://` URI. */
  uri: string;
  text: string;
}

interface ReadOptions {
  signal: AbortSignal;
  timeout?: number;
}

/** The windows of a Computer, the most important first. */
export async function windowsOf(agent: OfficeAgent, computer: string, options: ReadOptions): Promise<Window[]> {
  return (await agent.getDesktop(computer, options)).map(splitWindow);
}

/** The text of one window. */
export async function readWindow(
  agent: OfficeAgent,
  { computer, uri, signal }: { computer: string; uri: string; signal: AbortSignal },
): Promise<string> {
  const [found] = await agent.getDesktop(computer, { window: uri, signal });
  if (found === undefined) {
    throw new SmcpError(ErrorCode.NotFound, `Computer '${computer}' has no window '${uri}'`);
  }
  return splitWindow(found).text;
}

/** On the wire a window is its URI and, if it has a text, an empty line and the text. */
function splitWindow(window: string): Window {
  const at = window.indexOf('\n\n');
  return at === -1 ? { uri: window, text: '' } : { uri: window.slice(0, at), text: window.slice(at + 2) };
}
