import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const command = fileURLToPath(new URL('../../../packages/documents/bin/a2c-documents.js', import.meta.url));

/** A real MCP client of a real `a2c-documents` process. */
export class FuzzedServer implements AsyncDisposable {
  readonly #client: Client;
  #isAlive = true;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async start(folder: string): Promise<FuzzedServer> {
    const client = new Client({ name: 'fuzz', version: '1' });
    const server = new FuzzedServer(client);
    client.onclose = () => {
      server.#isAlive = false;
    };
    const args = [command, '--no-index', '--authority', 'documents', folder];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    return server;
  }

  /** False once the process has ended or closed its end. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** The parsed body of a resource. Throws what the server answers instead, or when it is not answered in time. */
  async read(uri: string, timeout: number): Promise<Record<string, unknown>> {
    const { contents } = await this.#client.readResource({ uri }, { timeout });
    const [content] = contents;
    if (content === undefined || !('text' in content)) throw new TypeError(`No text at '${uri}'`);
    return JSON.parse(content.text);
  }

  /** Lists all documents, which opens new ones in the background. */
  async list(timeout: number): Promise<void> {
    await this.#client.listResources({}, { timeout });
  }

  /** Searches the text of all documents, which reads every page of new ones. */
  async search(query: string, timeout: number): Promise<void> {
    await this.#client.callTool({ name: 'search_documents', arguments: { query } }, { timeout });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
  }
}
