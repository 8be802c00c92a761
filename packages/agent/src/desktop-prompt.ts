import type { Agent } from './agent.ts';
import type { DesktopOptions } from './options.ts';

export interface DesktopPromptOptions extends DesktopOptions {
  /** @default all Computers of the office */
  computers?: readonly string[];
}

/** The Desktops of the office as one text, for a message to a model. Includes Computers that could not be read. */
export async function desktopPrompt(
  agent: Pick<Agent, 'computers' | 'getDesktop'>,
  { computers = [...agent.computers.keys()], ...options }: DesktopPromptOptions = {},
): Promise<string> {
  const desktops = await Promise.allSettled(computers.map(computer => agent.getDesktop(computer, options)));
  options.signal?.throwIfAborted();
  const sections = desktops.map((desktop, index) => {
    const windows = desktop.status === 'fulfilled' ? desktop.value.map(renderWindow) : ['(could not be read)'];
    return [`# Desktop of computer '${computers[index]}'`, ...(windows.length > 0 ? windows : ['(no windows)'])].join(
      '\n\n',
    );
  });
  return sections.length > 0 ? sections.join('\n\n') : 'There are no computers in this office.';
}

/** A window is its URI and, after an empty line, its text. */
function renderWindow(window: string): string {
  const [uri = '', ...rest] = window.split('\n\n');
  const body = rest.join('\n\n');
  return body === '' ? `<window uri="${uri}"/>` : `<window uri="${uri}">\n${body}\n</window>`;
}
