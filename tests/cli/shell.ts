import { SmcpServer } from '@a2c-smcp/server';
import { configFile } from './config-file.ts';
import { openTerminal, type TerminalOptions } from './pseudo-terminal.ts';

/** The prompt of the shell of a Computer. */
export const PROMPT = 'a2c> ';

/** A Server, and the real `a2c computer` in a terminal, at its prompt. */
export async function openShell(config = configFile(), options: TerminalOptions = {}) {
  const server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
  const words = ['computer', '--url', server.url, '--name', 'desk', '--config', config, '--input', 'token=t0ken'];
  const terminal = openTerminal(words, options);
  await terminal.shows(PROMPT);
  return {
    server,
    terminal,
    async [Symbol.asyncDispose]() {
      await terminal[Symbol.asyncDispose]();
      await server.close();
    },
  };
}
