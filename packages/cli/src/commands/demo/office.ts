import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { Computer } from '@a2c-smcp/computer';
import type { Logger } from '@a2c-smcp/core';
import type { ComputerConfigFile } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';

/** The name of the demo's Computer and of its office. */
export const DEMO = 'demo';

const WORKBENCH = fileURLToPath(new URL('../../../workbench/main.js', import.meta.url));
const DOCUMENTS = join(
  dirname(createRequire(import.meta.url).resolve('@a2c-smcp/documents')),
  '../bin/a2c-documents.js',
);
/** Exists in a clone of the repository only. Otherwise the sample files are the documents. */
const EXAMPLES = fileURLToPath(new URL('../../../../../examples/documents/files', import.meta.url));
/** Ports after the requested one that are tried. */
const MAX_PORT_ATTEMPTS = 20;

const SAMPLE_FILES = {
  'welcome.md': '# Welcome\n\nThis folder belongs to the demo. An Agent can list and read its files.\n',
  'shopping.csv': 'item,count\napples,4\nbread,1\ncoffee,2\n',
};

export interface DemoOffice extends AsyncDisposable {
  server: SmcpServer;
  computer: Computer;
}

export interface DemoOptions {
  /** The first port to try; 0 takes any. */
  port: number;
  logger: Logger;
}

/** A Server and a Computer with the workbench, joined in one office. Their files are removed on dispose. */
export async function openDemoOffice({ port, logger }: DemoOptions): Promise<DemoOffice> {
  const server = await listenNear(port, logger);
  const folder = await mkdtemp(join(tmpdir(), 'a2c-demo-'));
  const close = async (computer?: Computer) => {
    await computer?.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
  let computer: Computer | undefined;
  try {
    for (const [name, text] of Object.entries(SAMPLE_FILES)) await writeFile(join(folder, name), text);
    computer = await Computer.open({ name: DEMO, servers: demoServers(folder), logger });
    await computer.join(server.url, { office: DEMO });
  } catch (error) {
    await close(computer);
    throw error;
  }
  const opened = computer;
  return { server, computer: opened, [Symbol.asyncDispose]: () => close(opened) };
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

async function listenNear(port: number, logger: Logger): Promise<SmcpServer> {
  for (let candidate = port; ; candidate++) {
    try {
      return await SmcpServer.listen({ port: candidate, gracePeriod: 500, logger });
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken || port === 0 || candidate >= port + MAX_PORT_ATTEMPTS) throw error;
    }
  }
}
