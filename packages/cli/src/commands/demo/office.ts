import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { Computer } from '@a2c-smcp/computer';
import type { ListeningConsole } from '@a2c-smcp/console/owner';
import type { Logger } from '@a2c-smcp/core';
import type { ComputerConfigFile } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { listenForOwner } from '../computer/console.ts';
import { listenNear } from '../near-port.ts';

/** The name of the demo's Computer and of its office. */
export const DEMO = 'demo';

const WORKBENCH = fileURLToPath(new URL('../../../workbench/main.js', import.meta.url));
const DOCUMENTS = join(
  dirname(createRequire(import.meta.url).resolve('@a2c-smcp/documents')),
  '../bin/a2c-documents.js',
);
/** Exists in a clone of the repository only. Otherwise the sample files are the documents. */
const EXAMPLES = fileURLToPath(new URL('../../../../../examples/documents/files', import.meta.url));

const SAMPLE_FILES = {
  'welcome.md': '# Welcome\n\nThis folder belongs to the demo. An Agent can list and read its files.\n',
  'shopping.csv': 'item,count\napples,4\nbread,1\ncoffee,2\n',
};

export interface DemoOffice extends AsyncDisposable {
  server: SmcpServer;
  computer: Computer;
  /** Opens the console in one browser; undefined in a clone whose pages are not built. */
  consoleAddress: string | undefined;
}

export interface DemoOptions {
  /** The first port to try; 0 takes any. */
  port: number;
  logger: Logger;
}

/** A Server and a Computer with the workbench, joined in one office. Their files are removed on dispose. */
export async function openDemoOffice({ port, logger }: DemoOptions): Promise<DemoOffice> {
  const server = await listenNear(port, candidate => SmcpServer.listen({ port: candidate, gracePeriod: 500, logger }));
  const folder = await mkdtemp(join(tmpdir(), 'a2c-demo-'));
  let console: ListeningConsole | undefined;
  const close = async (computer?: Computer) => {
    await console?.close();
    await computer?.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
  let computer: Computer | undefined;
  try {
    for (const [name, text] of Object.entries(SAMPLE_FILES)) await writeFile(join(folder, name), text);
    computer = await Computer.open({ name: DEMO, servers: demoServers(folder), logger });
    await computer.join(server.url, { office: DEMO });
    const { Site } = await import('@a2c-smcp/console');
    const desk = { computer, serverUrl: () => server.url };
    // A port of its own choice too, if the Server may have any.
    if (Site.isBuilt) console = await listenForOwner(desk, { logger, ...(port === 0 ? { port } : {}) });
  } catch (error) {
    await close(computer);
    throw error;
  }
  const opened = computer;
  const consoleAddress = console?.issueAddress();
  return { server, computer: opened, consoleAddress, [Symbol.asyncDispose]: () => close(opened) };
}

function demoServers(folder: string): ComputerConfigFile['servers'] {
  return {
    workbench: {
      type: 'stdio',
      default_tool_meta: { auto_apply: true },
      server_parameters: { command: execPath, args: [WORKBENCH, folder] },
    },
    documents: {
      type: 'stdio',
      default_tool_meta: { auto_apply: true },
      server_parameters: {
        command: execPath,
        args: [DOCUMENTS, existsSync(EXAMPLES) ? EXAMPLES : folder, '--authority', 'local.documents', '--no-index'],
      },
    },
  };
}
